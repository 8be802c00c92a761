import { useSignal } from '@preact/signals';
import { strings } from '../strings.ts';

const MAX_COLUMNS = 30;
const MAX_ROWS = 50;

export type Records = readonly Record<string, unknown>[];

/** The value as rows with named fields, if it is a list of objects, or an object with one such list in it. */
export function recordsIn(value: unknown): Records | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFlat) ? value : undefined;
  const inner = Object.values(value ?? {});
  return inner.length === 1 && Array.isArray(inner[0]) ? recordsIn(inner[0]) : undefined;
}

function isFlat(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(field => typeof field !== 'object' || field === null);
}

/** Rows with named fields. */
export function RecordTable({ records }: { records: Records }) {
  const shown = useSignal(MAX_ROWS);
  const columns = [...new Set(records.slice(0, 1000).flatMap(record => Object.keys(record)))].slice(0, MAX_COLUMNS);
  const rows = records.slice(0, shown.value).map(record => columns.map(column => record[column]));
  return (
    <PlainTable columns={columns} more={records.length - shown.value} onMore={() => (shown.value += 500)} rows={rows} />
  );
}

interface PlainTableProps {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  more?: number;
  onMore?: () => void;
}

/** A table of any data. */
export function PlainTable({ columns, rows, more = 0, onMore }: PlainTableProps) {
  return (
    <div class="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, index) => (
                <td class={typeof cell === 'number' ? 'number right' : ''} key={index}>
                  {cell === undefined || cell === null ? '' : String(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <button class="link" onClick={onMore} type="button">
          {strings.value.app.more(more)}
        </button>
      )}
    </div>
  );
}
