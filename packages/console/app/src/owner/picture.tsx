import { useSignal } from '@preact/signals';
import { Icon } from '../components/icon.tsx';
import { versions } from '../stream/store.ts';

/** Types of documents that are pictures which browsers show. */
const PICTURES = new Set(['png', 'jpg', 'jpeg', 'jfif', 'gif', 'webp']);

export function isPicture(fileType: string): boolean {
  return PICTURES.has(fileType);
}

/**
 * The picture of a document or of an image element, fetched when it comes into view. The console sends no SVG and no type that
 * it has not checked; where there is no picture, an icon stands for it.
 */
export function Picture({ uri, alt, isSmall = false }: { uri: string; alt: string; isSmall?: boolean }) {
  const failed = useSignal('');
  const query = new URLSearchParams({ uri, version: String(versions.value.finder ?? 0) });
  const source = `/api/v1/picture?${query}`;
  if (failed.value === source) return isSmall ? <Icon name="file" size={16} /> : null;
  return (
    <img
      alt={alt}
      class={isSmall ? 'thumbnail' : 'document-picture'}
      decoding="async"
      loading="lazy"
      onError={() => (failed.value = source)}
      src={source}
    />
  );
}
