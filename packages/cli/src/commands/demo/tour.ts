import { Agent, type FinderPage } from '@a2c-smcp/agent';
import { pause, settle } from '@a2c-smcp/core';
import type { World } from '../../command.ts';
import { resultLines } from '../../output/result.ts';
import { cut, oneLine, table } from '../../output/table.ts';
import { toolRow } from '../../output/tools.ts';
import { frame, windowPane } from '../../output/windows.ts';
import { pageLines } from '../agent/read.ts';
import { DEMO } from './office.ts';

const GREETING = 'Hello from the tour';
/** Lines of a page that are shown. */
const MAX_PAGE_LINES = 8;
/** Milliseconds until a change must show, on a machine under load. */
const CHANGE_TIMEOUT_MS = 20_000;
const FINDER_INTERVAL_MS = 200;

type Stage = Pick<World, 'print' | 'style' | 'signal'>;

/** Shows the office as its Agent. All output comes from real requests. */
export async function giveTour(url: string, stage: Stage): Promise<void> {
  const { signal } = stage;
  await using agent = await Agent.connect(url, { name: 'guide', office: DEMO, autoRefresh: ['desktop'], signal });
  for (const show of [showMembers, showTools, showCall, showDesktop, showDocument, showLiveUpdate]) {
    signal.throwIfAborted();
    await show(agent, stage);
  }
}

async function showMembers(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, 'Who is in the office');
  const members = await agent.members();
  const rows = members.map(({ role = '', name = '', a2c_version }) => [role, name, a2c_version ?? '']).toSorted();
  show(stage, table(['ROLE', 'NAME', 'PROTOCOL'], rows, inner(stage)));
}

async function showTools(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, `What the Computer can do`);
  const tools = await agent.getTools(DEMO);
  const { style } = stage;
  const paint = (cell: string, column: number) => (column === 0 ? style.cyan(cell) : cell);
  show(stage, table(['TOOL', 'PARAMETERS', 'DESCRIPTION'], tools.map(toolRow), { ...inner(stage), paint }));
}

async function showCall(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, 'A call');
  const params = { expression: 'sqrt(1764)' };
  const start = performance.now();
  const result = await agent.callTool({ computer: DEMO, tool: 'calculate', params });
  const { style } = stage;
  const [answer = ''] = resultLines(result);
  show(stage, [
    `${style.cyan('calculate')} expression='${params.expression}'  →  ${style.bold(oneLine(answer))}   ${style.dim(since(start))}`,
  ]);
}

async function showDesktop(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, 'The Desktop: what a model sees of the machine');
  const windows = await agent.getDesktop(DEMO);
  for (const window of windows) show(stage, frame(windowPane(window), inner(stage).style));
}

async function showDocument(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, 'The Finder: documents, read page by page');
  const { documents, totalCount } = await firstDocuments(agent, stage);
  const wanted = documents.find(({ file_type }) => file_type === 'xlsx') ?? documents[0];
  if (!wanted) return;
  const page = await agent.readPage(DEMO, wanted.uri, 0, { format: 'markdown' });
  const lines = pageLines(page);
  const names = documents.map(({ title, doc_ref }) => oneLine(title || doc_ref)).join(', ');
  const body = [...lines.slice(0, MAX_PAGE_LINES), ...(lines.length > MAX_PAGE_LINES ? ['…'] : [])].join('\n');
  show(stage, [
    stage.style.dim(cut(`${totalCount} documents: ${names}`, inner(stage).style.width)),
    ...frame({ title: `${wanted.uri}/pages/0`, body }, inner(stage).style),
  ]);
}

/** On a machine under load, the MCP server of the documents may still be starting. */
async function firstDocuments(agent: Agent, { signal }: Stage): Promise<FinderPage> {
  const end = performance.now() + CHANGE_TIMEOUT_MS;
  for (;;) {
    const page = await agent.getFinder(DEMO, { limit: 100, signal });
    if (page.totalCount > 0 || performance.now() > end) return page;
    await pause(FINDER_INTERVAL_MS, signal);
  }
}

async function showLiveUpdate(agent: Agent, stage: Stage): Promise<void> {
  heading(stage, 'A live update');
  const { style, signal } = stage;
  const changed = nextDesktop(agent, GREETING, signal);
  const start = performance.now();
  const [windows] = await Promise.all([
    changed,
    agent.callTool({ computer: DEMO, tool: 'note', params: { text: GREETING } }),
  ]);
  show(stage, [
    `${style.cyan('note')} text='${GREETING}'  →  the Computer reports a new Desktop   ${style.dim(since(start))}`,
    ...windows.filter(mentions(GREETING)).flatMap(window => frame(windowPane(window), inner(stage).style)),
  ]);
}

/** The next Desktop with a window that contains the text. */
function nextDesktop(agent: Agent, text: string, signal: AbortSignal): Promise<string[]> {
  return settle(
    resolve => agent.on('desktop', ({ desktop }) => void (desktop.some(mentions(text)) && resolve(desktop))),
    { timeout: CHANGE_TIMEOUT_MS, timeoutError: () => new Error('The Desktop did not change in time'), signal },
  );
}

function mentions(text: string): (window: string) => boolean {
  return window => window.includes(text);
}

function since(start: number): string {
  return `${Math.max(1, Math.round(performance.now() - start))} ms`;
}

function heading({ print, style }: Stage, text: string): void {
  print('');
  print(` ${style.green('●')} ${style.bold(text)}`);
}

function show({ print }: Stage, lines: readonly string[]): void {
  for (const line of lines) print(`   ${line}`);
}

/** The style for lines that `show` indents. */
function inner({ style }: Stage): Pick<Stage, 'style'> {
  return { style: { ...style, width: style.width - 3 } };
}
