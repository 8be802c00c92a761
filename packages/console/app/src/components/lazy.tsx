import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loading } from './basics.tsx';

/** A component whose code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const isLoaded = useSignal(loaded !== undefined);
    useEffect(() => {
      if (loaded) return;
      void load().then(component => {
        loaded = component;
        isLoaded.value = true;
      });
    }, []);
    const Component = loaded;
    return isLoaded.value && Component ? <Component {...props} /> : <Loading lines={3} />;
  };
}

/** Markdown, with its reader loaded when there is some. */
export const LazyMarkdown = lazy(() => import('./markdown.tsx').then(({ Markdown }) => Markdown));
