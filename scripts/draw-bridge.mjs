// Draws docs/guide/bridge.svg: opencode, a real MCP client, with two Computers behind a bridge. Its model is a script that
// calls the tool `office` and repeats the answer.
//
//   npm run build && npx tsc -b clients && node scripts/draw-bridge.mjs

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';
import { npmPackages } from '../clients/dist/processes.js';
import { drawTerminal } from './terminal-picture.mjs';

const a2c = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const COLUMNS = 100;
const QUESTION = 'Which machines can you use?';

const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
const tool = description => ({ description, run: () => 'done' });
const studio = { open_valve: tool('Opens a valve'), read_gauge: tool('Reads a gauge') };
const laptop = { take_note: tool('Writes a note'), list_files: tool('Lists files') };
const computers = [];
for (const [name, tools] of Object.entries({ studio, laptop })) {
  const computer = await Computer.open({ name, tools });
  await computer.join(server.url, { office: 'lighthouse' });
  computers.push(computer);
}
const model = createServer(answer).listen(0, '127.0.0.1');
await once(model, 'listening');
const home = mkdtempSync(join(tmpdir(), 'a2c-bridge-picture-'));
writeFileSync(join(home, 'opencode.json'), JSON.stringify(configuration()));
const folder = await npmPackages('opencode-ai@1.18.33');
const opencode = join(folder, 'node_modules/opencode-linux-x64-baseline/bin/opencode');

const listed = await inTerminal(`'${opencode}' mcp list`);
const asked = await inTerminal(`'${opencode}' run --model script/model '${QUESTION}'`);
drawTerminal(['$ opencode mcp list', ...listed, `$ opencode run '${QUESTION}'`, ...asked.slice(0, -1)], {
  title: 'opencode lists the bridge as connected, calls its tool office, and names the Computers',
  columns: COLUMNS,
  file: 'bridge.svg',
});
rmSync(home, { recursive: true, force: true });
model.closeAllConnections();
model.close();
for (const computer of computers) await computer.close();
await server.close();

function configuration() {
  const options = { baseURL: `http://127.0.0.1:${model.address().port}/v1`, apiKey: 'none' };
  const script = { npm: '@ai-sdk/openai-compatible', name: 'script', options, models: { model: { name: 'model' } } };
  const command = [process.execPath, a2c, 'bridge', '--url', server.url, '--office', 'lighthouse'];
  const mcp = { a2c: { type: 'local', command, enabled: true } };
  return { autoupdate: false, share: 'disabled', provider: { script }, model: 'script/model', mcp };
}

/** The lines that a command writes to a terminal, with their colours. */
function inTerminal(command) {
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const child = spawn('script', ['-qec', `stty cols ${COLUMNS}; ${command}`, '/dev/null'], {
    cwd: home,
    env: { ...env, XDG_STATE_HOME: home, TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  return new Promise(resolve => child.on('close', () => resolve(linesOf(output))));
}

/** Paths and ports of this machine mean nothing to a reader. */
function linesOf(output) {
  const shown = output.replaceAll('\r', '').replaceAll(`${process.execPath} ${a2c}`, 'a2c');
  return `${shown.replaceAll(server.url, 'http://127.0.0.1:7000').trim()}\n`.split('\n');
}

/** A model that calls `office` first, and then repeats what it answered. */
async function answer(request, response) {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { messages = [], tools = [] } = text === '' ? {} : JSON.parse(text);
  const result = messages.findLast(({ role }) => role === 'tool');
  const name = tools.map(each => each.function.name).find(each => each.endsWith('office'));
  const call = { index: 0, id: 'call', type: 'function', function: { name, arguments: '{}' } };
  const isCall = name !== undefined && !result;
  const delta = isCall ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: textIn(result) };
  const head = { id: 'reply', object: 'chat.completion.chunk', created: 0, model: 'model' };
  const end = { index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop' };
  const chunks = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [end] },
  ];
  response.setHeader('content-type', 'text/event-stream');
  response.end([...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]'].map(data => `data: ${data}\n\n`).join(''));
}

function textIn(message) {
  const content = message?.content ?? 'An office';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}
