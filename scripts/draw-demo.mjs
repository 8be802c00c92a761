// Draws docs/guide/demo.svg from what `a2c demo` really prints. Run it after a change of the tour: node scripts/draw-demo.mjs

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { drawTerminal } from './terminal-picture.mjs';

const binary = fileURLToPath(new URL('../packages/cli/bin/a2c.js', import.meta.url));
const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: '', COLUMNS: '110' };
const shown = execFileSync(process.execPath, [binary, 'demo', '--port', '7000'], { env, encoding: 'utf8' });

// As in a terminal, without a token.
const address = '\u001b[36mhttp://127.0.0.1:7300/#token=…\u001b[39m';
const lines = [
  '$ npm start',
  ...shown
    .trimEnd()
    .replace(/^.*In a terminal .*$/m, `   ${address}`)
    .split('\n'),
];
const title = 'npm start: members, tools, a call, the Desktop, a document, a live update and the console';
drawTerminal(lines, { title, columns: 110, file: 'demo.svg' });
