import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { a2c } from './a2c.ts';

/** An MCP server that publishes what its argument says. */
export const publishing = fileURLToPath(new URL('../fixtures/publishing-mcp-server.mjs', import.meta.url));

interface Report {
  tools: { name: string }[];
  tokens: number;
  windows: { uri: string; text?: string; leftOut?: string }[];
  documents: { total: number; walked: { documents: number; pages: number; elements: number } };
  findings: { code: string; severity: string; text: string; remedy: string }[];
}

/** Runs `a2c inspect` on a server that publishes what `script` says. */
export async function inspectScript(
  script: object,
  ...words: string[]
): Promise<{ code: number; report: Report; codes: string[] }> {
  const command = ['--', process.execPath, publishing, JSON.stringify(script)];
  const { code, json, err } = await a2c(['inspect', '--json', ...words, ...command]);
  expect(err).toBe('');
  const report = json<Report>();
  return { code, report, codes: report.findings.map(finding => finding.code) };
}

/** A window without faults. */
export const window = (name: string, more: object = {}) => ({
  uri: `window://com.example.app/${name}`,
  name,
  annotations: { audience: ['assistant'], priority: 0.5 },
  ...more,
});

/** Leaves out what is found in every server of the fixture: its tools have no description. */
export const withoutTools = (codes: string[]) => codes.filter(code => !code.startsWith('tool'));
