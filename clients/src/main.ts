import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Checks, type Outcome, runChecks } from './check.ts';
import { claudeCode, codex, geminiCli, opencode } from './clients/assistants.ts';
import { conformance } from './clients/conformance.ts';
import { inspector } from './clients/inspector.ts';
import { officialClient } from './clients/official.ts';
import { pythonClient } from './clients/python.ts';
import { formatLine, formatReport } from './report.ts';
import { type Stage, setStage } from './stage.ts';

const CLIENTS: Record<string, [title: string, checks: (stage: Stage) => Checks]> = {
  official: ['TypeScript SDK', officialClient],
  python: ['Python SDK', pythonClient],
  inspector: ['MCP Inspector', inspector],
  'claude-code': ['Claude Code', stage => claudeCode(stage, '2.1.325')],
  'claude-code-2025': ['Claude Code of the 2025 era', stage => claudeCode(stage, '2.1.197')],
  opencode: ['opencode', opencode],
  codex: ['Codex', codex],
  gemini: ['Gemini CLI', geminiCli],
  conformance: ['Conformance suite', conformance],
};

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, write: { type: 'boolean', default: false } },
});
const chosen = values.only ?? Object.keys(CLIENTS);
const outcomes: Outcome[] = [];
for (const name of chosen) {
  const [title, checksOf] = CLIENTS[name] ?? [];
  if (!title || !checksOf) throw new Error(`Unknown client '${name}': there are ${Object.keys(CLIENTS).join(', ')}`);
  // A fresh office for each, so that none depends on what another left behind.
  await using stage = await setStage();
  const own = await runChecks(title, checksOf(stage));
  for (const outcome of own) process.stdout.write(`${formatLine(outcome)}\n`);
  outcomes.push(...own);
}
if (values.write) {
  await writeFile(new URL('../../docs/reports/clients.md', import.meta.url), formatReport(outcomes));
}
process.exitCode = outcomes.some(({ state }) => state === 'failed') ? 1 : 0;
