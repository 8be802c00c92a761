import type { Confirmation } from '@a2c-smcp/computer';
import { describe, expect, test } from 'vitest';
import { createStyle } from '../../output/style.ts';
import { displayWidth } from '../../output/table.ts';
import { describeCall } from './call-description.ts';

const SIZE = { rows: 24, columns: 80 };
const style = createStyle({ colour: false, width: SIZE.columns });

function described(params: Record<string, unknown>, fields: Partial<Confirmation> = {}) {
  const { signal } = new AbortController();
  const call = { reqId: 'r', server: 'files', tool: 'delete', originalTool: 'delete', params, signal, ...fields };
  return describeCall(call, SIZE, style);
}

/** Rows of the screen that lines take. */
const rowsOf = (lines: readonly string[]) =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / SIZE.columns)), 0);

const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`name-${at}`, `value-${at}`]));

describe('the description of a call', () => {
  test('a small call is shown completely, and the question names tool and MCP server', () => {
    const { lines, question, more } = described({ path: '/etc/passwd', n: 1 });
    expect(lines).toEqual(['? Tool delete of MCP server files', '    path  "/etc/passwd"', '    n     1']);
    expect(question).toBe('  Run delete of files? [y]es, [N]o, [a]lways, [s]ession, [e]dit, [r]eason: ');
    expect(more).toBeUndefined();
  });

  test.each<[string, Record<string, unknown>, Partial<Confirmation>]>([
    ['5,000 parameters', many, {}],
    ['one value of 4 MB', { a: 'x'.repeat(4_000_000) }, {}],
    ['wide characters', { a: '日本'.repeat(100_000), b: '한국'.repeat(100_000) }, {}],
    [
      '30 long values',
      Object.fromEntries(
        Object.keys(many)
          .slice(0, 30)
          .map(key => [key, 'y'.repeat(1000)]),
      ),
      {},
    ],
    ['a parameter name of 1 MB', { ['k'.repeat(1_000_000)]: 1 }, {}],
    ['names of 1 MB', { a: 1 }, { tool: 't'.repeat(1_000_000), server: 's'.repeat(1_000_000) }],
    [
      'all hints',
      many,
      { annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } },
    ],
  ])('a call with %s fits on one screen with the question', (_, params, fields) => {
    const { lines, question } = described(params, fields);
    expect(rowsOf([...lines, question])).toBeLessThanOrEqual(SIZE.rows);
    expect(question).toContain('[v]iew all');
    expect(lines.at(-1)).toContain("'v' shows all");
  });

  test('a large call shows the number of omitted parameters and characters', () => {
    expect(described(many).lines.at(-1)).toMatch(/… 4,98\d more parameters; 'v' shows all/);
    expect(described({ a: 'x'.repeat(10_000) }).lines.join('\n')).toContain('(10,002 characters in all)');
  });

  test('a large call can be viewed page by page', () => {
    const { more } = described({ ...many, long: `start${'x'.repeat(5000)}end` });
    let text = '';
    for (let page = 0; page < 1000 && !text.includes('That was all'); page++) {
      const lines = more?.() ?? [];
      expect(rowsOf(lines)).toBeLessThan(SIZE.rows - 1);
      text += `${lines
        .filter(line => !line.includes('shows more'))
        .map(line => line.trim())
        .join('\n')}\n`;
    }
    for (const [name, value] of Object.entries(many)) expect(text).toContain(`${name}  "${value}"`);
    expect(text.replaceAll('\n', '')).toContain(`start${'x'.repeat(5000)}end`);
    expect(more?.().join('\n')).toContain('name-0  ');
  });

  test('a call shows control characters and bidi marks as escapes', () => {
    const { lines } = described(
      { 'a\u001b[2J\u202e': 'b\n\u009b2J\u202e' },
      { tool: 'x\ny\u001b[2J', server: 'z\u202e' },
    );
    expect(lines).toEqual([
      '? Tool x\\ny\\u001b[2J of MCP server z\\u202e',
      '    a\\u001b[2J\\u202e  "b\\n\\u009b2J\\u202e"',
    ]);
  });
});
