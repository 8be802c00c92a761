import { useSignal } from '@preact/signals';
import { strings } from '../strings.ts';
import { JsonTree } from './json-tree.tsx';
import { LazyMarkdown } from './lazy.tsx';
import { RecordTable, recordsIn } from './record-table.tsx';

type Rendering = 'text' | 'markdown' | 'json' | 'table';

/** Characters of plain text that are drawn at once. */
const MAX_TEXT = 50_000;
/** Longer texts are not looked into. */
const MAX_GUESSED = 2_000_000;

/** Text of a tool or a document, as what it seems to be; a click shows it as it is. */
export function TextView({ text, mimeType = '' }: { text: string; mimeType?: string }) {
  const t = strings.value.result;
  const json = parsed(text, mimeType);
  const records = json === undefined ? undefined : recordsIn(json);
  const options: Rendering[] = [
    ...(records ? (['table'] as const) : []),
    ...(json === undefined ? [] : (['json'] as const)),
    ...(json === undefined && isMarkdown(text, mimeType) ? (['markdown'] as const) : []),
    'text',
  ];
  const chosen = useSignal<Rendering | undefined>(undefined);
  const rendering =
    chosen.value !== undefined && options.includes(chosen.value) ? chosen.value : (options[0] ?? 'text');
  return (
    <div class="stack">
      {options.length > 1 && (
        <div class="segments">
          {options.map(option => (
            <button
              aria-pressed={option === rendering}
              class="segment"
              key={option}
              onClick={() => (chosen.value = option)}
              type="button"
            >
              {t[option]}
            </button>
          ))}
        </div>
      )}
      {rendering === 'table' && records && <RecordTable records={records} />}
      {rendering === 'json' && (
        <div class="code">
          <JsonTree value={json} />
        </div>
      )}
      {rendering === 'markdown' && <LazyMarkdown text={text} />}
      {rendering === 'text' && <PlainText text={text} />}
    </div>
  );
}

/** Text in lines, of which a long one shows its beginning. */
export function PlainText({ text }: { text: string }) {
  const shown = useSignal(MAX_TEXT);
  const hidden = text.length - shown.value;
  return (
    <div>
      <pre class="code" tabIndex={0}>
        {text.slice(0, shown.value)}
      </pre>
      {hidden > 0 && (
        <button class="link" onClick={() => (shown.value += 10 * MAX_TEXT)} type="button">
          {strings.value.app.more(hidden)}
        </button>
      )}
    </div>
  );
}

/** Undefined if it is neither an object nor a list. */
function parsed(text: string, mimeType: string): object | undefined {
  if (text.length > MAX_GUESSED || !(/json/i.test(mimeType) || /^\s*[[{]/.test(text))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Headings, lists, tables, fences, links and emphasis are signs of it. */
function isMarkdown(text: string, mimeType: string): boolean {
  if (text.length > MAX_GUESSED) return false;
  return (
    /markdown/i.test(mimeType) || /^#{1,6} |^\s*[-*] \S|^\|.+\|$|^```|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*/m.test(text)
  );
}
