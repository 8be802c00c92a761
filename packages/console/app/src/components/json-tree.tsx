import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { strings } from '../strings.ts';

/** Entries of an object or a list that are drawn at once. */
const MAX_SHOWN = 100;
/** Characters of a text that are drawn at once. */
const MAX_TEXT = 2000;
/** Levels that are open from the start. */
const OPEN_DEPTH = 2;

interface TreeProps {
  value: unknown;
  /** The key of the value in its parent. */
  label?: ComponentChildren;
  depth?: number;
}

/** Any JSON value, as a tree that is drawn where it is opened. */
export function JsonTree({ value, label, depth = 0 }: TreeProps) {
  const isBranch = typeof value === 'object' && value !== null;
  const entries = isBranch ? Object.entries(value) : [];
  const [open = '', close = ''] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) {
    return (
      <span class="json">
        {label}
        {isBranch ? <span class="muted">{open + close}</span> : <JsonLeaf value={value} />}
      </span>
    );
  }
  const branch = { entries, open, close, label, depth, isList: Array.isArray(value) };
  return <JsonBranch {...branch} />;
}

interface BranchProps extends Required<Pick<TreeProps, 'depth'>> {
  label: ComponentChildren;
  entries: readonly [string, unknown][];
  open: string;
  close: string;
  isList: boolean;
}

function JsonBranch({ entries, open, close, label, isList, depth }: BranchProps) {
  const isOpen = useSignal(depth < OPEN_DEPTH);
  const shown = useSignal(MAX_SHOWN);
  const hidden = entries.length - shown.value;
  return (
    <details class="json" onToggle={event => (isOpen.value = event.currentTarget.open)} open={isOpen.value}>
      <summary>
        {label}
        <span class="muted">
          {open} {entries.length} {close}
        </span>
      </summary>
      {isOpen.value && (
        <ul>
          {entries.slice(0, shown.value).map(([key, value]) => (
            <li key={key}>
              <JsonTree depth={depth + 1} label={<Key isIndex={isList} text={key} />} value={value} />
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

function Key({ text, isIndex }: { text: string; isIndex: boolean }) {
  return (
    <>
      <span class={isIndex ? 'muted number' : 'json-key'}>{text}</span>
      <span class="muted">: </span>
    </>
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
