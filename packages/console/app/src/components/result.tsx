import type { CallToolResult, ContentBlock } from '@a2c-smcp/computer';
import { strings } from '../strings.ts';
import { Notice } from './basics.tsx';
import { JsonTree } from './json-tree.tsx';
import { TextView } from './text-view.tsx';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const SOUNDS = ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/webm', 'audio/mp4', 'audio/x-wav', 'audio/flac'];
const BASE64 = /^[\w+/=\s-]*$/;

/** The result of a tool: text, pictures, sounds, tables, JSON. Nothing of it becomes markup. */
export function Result({ result }: { result: CallToolResult }) {
  const t = strings.value.result;
  const { content = [], structuredContent, isError } = result;
  return (
    <div class="stack">
      {isError === true && <Notice tone="danger">{t.isError}</Notice>}
      {content.map((item, index) => (
        <Content item={item} key={index} />
      ))}
      {content.length === 0 && structuredContent === undefined && <p class="muted">{t.empty}</p>}
      {structuredContent !== undefined && structuredContent !== null && (
        <>
          <h3>{t.structured}</h3>
          <div class="code">
            <JsonTree value={structuredContent} />
          </div>
        </>
      )}
    </div>
  );
}

function Content({ item }: { item: ContentBlock }) {
  const { type, text, data, mimeType, resource, uri, name } = item as Record<string, string | undefined> & {
    resource?: { text?: string; blob?: string; mimeType?: string; uri?: string };
  };
  if (type === 'text') return <TextView text={text ?? ''} />;
  if (type === 'image' || type === 'audio') return <Media data={data ?? ''} mimeType={mimeType ?? ''} />;
  if (type === 'resource' && resource) {
    return (
      <figure class="stack">
        <figcaption class="muted small mono">{resource.uri}</figcaption>
        {resource.text === undefined ? (
          <Media data={resource.blob ?? ''} mimeType={resource.mimeType ?? ''} />
        ) : (
          <TextView mimeType={resource.mimeType ?? ''} text={resource.text} />
        )}
      </figure>
    );
  }
  if (type === 'resource_link') {
    return (
      <p>
        {name} <span class="mono muted">{uri}</span>
      </p>
    );
  }
  return (
    <div class="code">
      <JsonTree value={item} />
    </div>
  );
}

/** Only of known types, and only from the bytes at hand. */
export function Media({ data, mimeType }: { data: string; mimeType: string }) {
  const t = strings.value.result;
  const type = mimeType.toLowerCase().split(';')[0]?.trim() ?? '';
  const isEncoded = BASE64.test(data);
  if (isEncoded && PICTURES.includes(type))
    return <img alt={t.picture} class="picture" src={`data:${type};base64,${data}`} />;
  if (isEncoded && SOUNDS.includes(type)) return <audio controls src={`data:${type};base64,${data}`} />;
  return <Notice>{t.binary(type, Math.floor((data.length * 3) / 4))}</Notice>;
}
