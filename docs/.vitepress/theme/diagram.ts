import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

let count = 0;

/** A Mermaid diagram, drawn in the browser in the colours of the page. */
export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const svg = ref('');
    const draw = async () => {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral', fontFamily: 'inherit' });
      svg.value = (await mermaid.render(`diagram-${++count}`, decodeURIComponent(source))).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    return () => h('div', { class: 'diagram', innerHTML: svg.value });
  },
});
