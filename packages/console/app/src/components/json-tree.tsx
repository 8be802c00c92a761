import { useSignal } from '@preact/signals';
import { strings } from '../strings.ts';

/** Entries of an object or a list that are drawn at once. */
const MAX_SHOWN = 100;
/** Characters of a text that are drawn at once. */
const MAX_TEXT = 2000;
/** Levels that are open from the start. */
const OPEN_DEPTH = 2;

/** Any JSON value, as a tree that is drawn where it is opened. */
export function JsonTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value !== 'object' || value === null) return <JsonLeaf value={value} />;
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return <span class="muted">{open + close}</span>;
  return (
    <JsonBranch close={close ?? ''} depth={depth} entries={entries} isList={Array.isArray(value)} open={open ?? ''} />
  );
}

interface BranchProps {
  entries: readonly [string, unknown][];
  open: string;
  close: string;
  isList: boolean;
  depth: number;
}

function JsonBranch({ entries, open, close, isList, depth }: BranchProps) {
  const isOpen = useSignal(depth < OPEN_DEPTH);
  const shown = useSignal(MAX_SHOWN);
  const hidden = entries.length - shown.value;
  return (
    <details class="json" onToggle={event => (isOpen.value = event.currentTarget.open)} open={isOpen.value}>
      <summary>
        <span class="muted">
          {open} {entries.length} {close}
        </span>
      </summary>
      {isOpen.value && (
        <ul>
          {entries.slice(0, shown.value).map(([key, value]) => (
            <li key={key}>
              <span class={isList ? 'muted number' : 'json-key'}>{key}</span>
              <span class="muted">: </span>
              <JsonTree depth={depth + 1} value={value} />
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <button class="link" onClick={() => (shown.value += 10 * MAX_SHOWN)} type="button">
                {strings.value.app.more(hidden)}
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

function JsonLeaf({ value }: { value: unknown }) {
  const isWhole = useSignal(false);
  if (typeof value !== 'string') return <span class="json-plain">{String(value)}</span>;
  const text = isWhole.value ? value : value.slice(0, MAX_TEXT);
  const hidden = value.length - text.length;
  return (
    <span class="json-text">
      {JSON.stringify(text)}
      {hidden > 0 && (
        <button class="link" onClick={() => (isWhole.value = true)} type="button">
          {strings.value.app.more(hidden)}
        </button>
      )}
    </span>
  );
}
