import { Badge } from '../../components/basics.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { PlainTable } from '../../components/record-table.tsx';
import { Media } from '../../components/result.tsx';
import { strings } from '../../strings.ts';
import { Picture } from '../picture.tsx';

export interface DocumentElement {
  element_id: string;
  category: string;
  summary?: string;
  content?: Record<string, unknown>;
}

const MAX_ROWS = 200;

/** An element of a page in the form that fits its category. */
export function ElementView({
  element: { element_id, category, summary, content = {} },
  uri,
}: {
  element: DocumentElement;
  uri: string;
}) {
  return (
    <section class="stack">
      <div class="row wrap">
        <Badge>{category}</Badge>
        <span class="mono muted small">{element_id}</span>
        {summary && <span class="muted small">{summary}</span>}
      </div>
      {category === 'image' && typeof content.data !== 'string' && (
        <Picture alt={summary || strings.value.result.picture} uri={uri} />
      )}
      <ElementContent category={category} content={content} />
    </section>
  );
}

function ElementContent({ category, content }: { category: string; content: Record<string, unknown> }) {
  const { headers, rows, text, items, data, mime_type } = content;
  if (Array.isArray(headers) && Array.isArray(rows)) {
    const cells = rows.slice(0, MAX_ROWS).map(row => (Array.isArray(row) ? row : [row]));
    return <PlainTable columns={headers.map(String)} rows={cells} />;
  }
  if (category === 'code' && typeof text === 'string') return <pre class="code">{text}</pre>;
  if (category === 'heading' && typeof text === 'string') return <h3>{text}</h3>;
  if (typeof data === 'string' && typeof mime_type === 'string') return <Media data={data} mimeType={mime_type} />;
  if (typeof text === 'string') return <p class="preserve">{text}</p>;
  if (Array.isArray(items) && items.every(item => typeof item === 'string')) {
    return (
      <ul>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    );
  }
  return (
    <div class="code">
      <JsonTree value={content} />
    </div>
  );
}
