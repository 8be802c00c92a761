import type { EnhanceAppContext } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import demo from '../../guide/demo.svg';
import { Diagram } from './diagram.ts';
import roles from './roles.svg?raw';
import './style.css';

/** Addresses of the pages in Chinese, without `/zh`. */
declare const TRANSLATED_PAGES: string[];

const alt = 'npm start: members, tools, a call, the Desktop, a document and a live update';

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h('div', { class: 'VPImage image-src', innerHTML: roles }),
      'home-features-after': () => h('img', { class: 'demo', src: demo, alt }),
    }),
  enhanceApp({ app, router, siteData }: EnhanceAppContext) {
    app.component('Diagram', Diagram);
    // The switch of languages leads to the same page in Chinese. Pages in English only have none: show the index.
    router.onBeforeRouteChange = async to => {
      const { base } = siteData.value;
      const [address = ''] = to.slice(base.length - 1).split(/[?#]/);
      if (!address.startsWith('/zh/') || TRANSLATED_PAGES.includes(address.slice('/zh'.length))) return true;
      await router.go(`${base}zh/`);
      return false;
    };
  },
};
