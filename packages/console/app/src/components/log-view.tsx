import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { LogEntry } from '../../../src/owner/types.ts';
import { time } from '../format.ts';
import { strings } from '../strings.ts';
import { useSize } from '../use.ts';

/** Pixels; the same as in the style sheet. */
const LINE_HEIGHT = 20;
const MARGIN = 10;

/** Lines of a log of which only those in view are drawn. It follows the end until somebody scrolls away from there. */
export function LogView({ lines, label }: { lines: readonly LogEntry[]; label: string }) {
  const { element, size } = useSize<HTMLDivElement>();
  const first = useSignal(0);
  const follows = useRef(true);
  const count = Math.ceil((size.value.height || 400) / LINE_HEIGHT) + 2 * MARGIN;
  const start = Math.max(0, Math.min(first.value, lines.length - count));
  const onScroll = () => {
    const { current } = element;
    if (!current) return;
    follows.current = current.scrollHeight - current.scrollTop - current.clientHeight < 2 * LINE_HEIGHT;
    first.value = Math.max(0, Math.floor(current.scrollTop / LINE_HEIGHT) - MARGIN);
  };
  useLayoutEffect(() => {
    const { current } = element;
    if (current && follows.current) current.scrollTop = current.scrollHeight;
  }, [lines.length, size.value.height]);
  useEffect(() => onScroll(), [lines.length]);
  return (
    <div aria-label={label} class="log" onScroll={onScroll} ref={element} role="log" aria-live="off" tabIndex={0}>
      <div class="log-inner" style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
        <div class="log-lines" style={{ transform: `translateY(${start * LINE_HEIGHT}px)` }}>
          {lines.slice(start, start + count).map((line, index) => (
            <LogLine key={start + index} line={line} />
          ))}
        </div>
      </div>
    </div>
  );
}

function LogLine({ line: { at, source, level, text, logger } }: { line: LogEntry }) {
  const t = strings.value.log;
  const isGrave = ['warning', 'error', 'critical', 'alert', 'emergency'].includes(level);
  return (
    <div class={`log-line ${isGrave ? 'log-grave' : ''}`}>
      <span class="muted">{time(at)}</span>
      <span class="log-source">{source === 'stderr' ? t.stderr : level}</span>
      <span>
        {logger === undefined ? '' : `${logger}: `}
        {text.replaceAll('\n', ' ⏎ ')}
      </span>
    </div>
  );
}
