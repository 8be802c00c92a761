import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { go } from '../router.ts';
import { useSize } from '../use.ts';

export interface Column<Row> {
  key: string;
  title: string;
  /** As in CSS; without one the column takes what is left. */
  width?: string;
  align?: 'right';
  /** Left out on narrow screens (`wide`), or also beside an open detail (`wider`). */
  show?: 'wide' | 'wider';
  cell: (row: Row) => ComponentChildren;
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** The route that a row leads to. */
  routeOf?: (row: Row) => readonly string[];
  selected?: string | number | undefined;
}

/** Pixels; the same as in the style sheet. */
const ROW_HEIGHT = 42;
const HEAD_HEIGHT = 34;
/** Rows that are drawn beyond the visible ones. */
const MARGIN = 8;

/** A table that draws only the rows in view, so that it may have any number of them. */
export function Table<Row>({ label, rows, columns, keyOf, routeOf, selected }: TableProps<Row>) {
  const { element, size } = useSize<HTMLDivElement>();
  const first = useSignal(0);
  const isPlaced = useRef(false);
  const count = Math.ceil((size.value.height || 600) / ROW_HEIGHT) + 2 * MARGIN;
  const start = Math.max(0, Math.min(first.value, rows.length - count));
  const shown = rows.slice(start, start + count);
  // The row that an address leads to is in view when the page opens.
  useLayoutEffect(() => {
    const index = selected === undefined ? -1 : rows.findIndex(row => keyOf(row) === selected);
    if (isPlaced.current || index < 0 || !element.current || size.value.height === 0) return;
    isPlaced.current = true;
    const top = index * ROW_HEIGHT;
    const { scrollTop, clientHeight } = element.current;
    if (top < scrollTop || top > scrollTop + clientHeight - 3 * ROW_HEIGHT)
      element.current.scrollTop = top - clientHeight / 3;
  });
  const onScroll = () => {
    const top = element.current?.scrollTop ?? 0;
    first.value = Math.max(0, Math.floor((top - HEAD_HEIGHT) / ROW_HEIGHT) - MARGIN);
  };
  return (
    <div aria-label={label} class="table-box grow" onScroll={onScroll} ref={element} role="region" tabIndex={0}>
      <table aria-label={label} aria-rowcount={rows.length + 1} class="table">
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(column => (
              <th
                class={classOf(column)}
                key={column.key}
                scope="col"
                style={column.width ? { width: column.width } : {}}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={start} />
          {shown.map((row, index) => {
            const key = keyOf(row);
            const route = routeOf?.(row);
            return (
              <tr
                aria-rowindex={start + index + 2}
                aria-selected={route && selected === key}
                data-open={route && ''}
                key={key}
                onClick={route && (() => go(...route))}
              >
                {columns.map(column => (
                  <td class={classOf(column)} key={column.key}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Spacer rows={rows.length - start - shown.length} />
        </tbody>
      </table>
    </div>
  );
}

/** One cell: one over all columns would make room for those that are left out on narrow screens. */
function Spacer({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td class="spacer" style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

function classOf({ align = '', show = '' }: { align?: string; show?: string }): string {
  return `${align} ${show}`.trim();
}
