/**
 * Makes `dist/a2c-bridge-VERSION.mcpb`, which Claude Desktop and other programs install with a click: the bridge as one file,
 * and a manifest with the settings that they ask for. `@anthropic-ai/mcpb` checks and packs it. With a folder as argument it
 * writes the content of the bundle there, and does not pack it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PACKER = '@anthropic-ai/mcpb@2.1.2';
/** Without a key the Server must let everybody in, as the demo does. */
const ENTRY = `
import { Bridge } from '@a2c-smcp/bridge';
const { A2C_URL: url, A2C_OFFICE: office, A2C_KEY: key } = process.env;
const bridge = new Bridge({ url, office, name: 'bridge', ...(key ? { headers: { 'x-api-key': key } } : {}) });
const client = bridge.serve({ input: process.stdin, output: process.stdout });
await client.closed;
await bridge.close();
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const { version, license, repository, homepage, engines } = JSON.parse(
  readFileSync(join(root, 'packages/bridge/package.json'), 'utf8'),
);
const setting = (title, description, fields) => ({ type: 'string', title, description, required: true, ...fields });
const manifest = {
  manifest_version: '0.3',
  name: 'a2c-bridge',
  display_name: 'A2C office',
  version,
  description: 'Tools, windows and documents of the machines in an A2C-SMCP office',
  author: { name: 'A2C-SMCP contributors' },
  license,
  homepage,
  repository: { type: 'git', url: repository.url.replace(/^git\+/, '') },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.mjs'],
      env: { A2C_URL: '${user_config.url}', A2C_OFFICE: '${user_config.office}', A2C_KEY: '${user_config.key}' },
    },
  },
  tools_generated: true,
  user_config: {
    url: setting('Server', 'The address of the A2C-SMCP Server', { default: 'http://127.0.0.1:7000' }),
    office: setting('Office', 'The office whose Agent you are', { default: 'demo' }),
    key: setting('API key', 'If the Server wants one', { required: false, sensitive: true, default: '' }),
  },
  compatibility: { runtimes: { node: engines.node } },
};

const [, , given] = process.argv;
const folder = given ?? mkdtempSync(join(tmpdir(), 'a2c-mcpb-'));
try {
  await build({
    stdin: { contents: ENTRY, resolveDir: join(root, 'packages/cli') },
    outfile: join(folder, 'server/index.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'linked',
    // CommonJS modules inside call it.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'warning',
  });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (given === undefined) pack();
} finally {
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}

function pack() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const target = join(root, `dist/a2c-bridge-${version}.mcpb`);
  execFileSync('npx', ['--yes', PACKER, 'pack', folder, target], { stdio: ['ignore', 'inherit', 'inherit'] });
}
