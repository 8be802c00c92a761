import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { MCPServerConfig, MCPServerInput } from '@a2c-smcp/protocol';
import { onTestFinished } from 'vitest';

const fixture = fileURLToPath(new URL('../fixtures/leaking-mcp-server.mjs', import.meta.url));

let count = 0;

/** A secret that `traces` finds, in any form, wherever a part of it is left. */
function canary(text = ''): string {
  count += 1;
  return `cAnArY${count}${text}cAnArY`;
}

/** Secrets of all shapes that an environment may have. */
const environment: Record<string, string> = {
  PLAIN: canary(),
  QUOTED: canary('"\'\\n\\\\ '),
  SPACED: canary(' +%41 &<>'),
  WIDE: canary('äé😀'),
  LINES: `-----BEGIN KEY-----\n${canary()}\n${canary('\t"')}\nab=\n-----END KEY-----\n`,
  ACCOUNT: JSON.stringify({ type: 'service', private_key: `${canary()}\n${canary()}`, id: canary('-"') }),
  DSN: `Server=db;User=ann;Password=${canary('!')};`,
  DATABASE_URL: `postgres://${canary()}:${encodeURIComponent(canary('@/ '))}@db/shop`,
  LOGIN: `Basic ${Buffer.from(`ann:${canary('~')}`).toString('base64')}`,
};

const commandLine: string[] = [
  '--api-key',
  canary(),
  `--secret=${canary('"')}`,
  `--password:${canary()}`,
  '--pat',
  canary(),
  '--header',
  `Authorization: Bearer ${canary()}`,
  '-H',
  `X-Odd: ${canary('\\')}`,
  '-e',
  `GITHUB_TOKEN=${canary('=')}`,
  '-p',
  canary(),
  `-p${canary()}`,
  '--anything',
  canary(),
  `postgresql://ann:${encodeURIComponent(canary('é'))}@db:5432/shop?sslkey=${canary()}`,
  `https://example.com/${canary()}/sse?page=${canary()}#${canary()}`,
  JSON.stringify({ deep: [{ apiKey: canary(' "') }] }),
  `user:${canary()}`,
  canary('\n'),
];

export const inputs: MCPServerInput[] = [
  { id: 'token', type: 'promptString', description: 'Token', password: true, default: canary() },
  { id: 'choice', type: 'pickString', description: 'Choice', options: [canary(), 'eu'], default: 'eu' },
  {
    id: 'labelled',
    type: 'pickString',
    description: 'Labelled choice',
    options: [{ label: canary(), value: canary() }],
    default: null,
  },
  { id: 'plain', type: 'promptString', description: 'Plain', default: canary() },
  {
    id: 'login',
    type: 'command',
    description: 'Login',
    command: `"${process.execPath}" -p "'${canary()}'" -- --token ${canary()}`,
  },
];

/** Values from outside the configuration: typed, in the environment of the Computer, and for the Server. */
export const given = { typed: canary('"'), env: canary('\\"'), auth: canary(), header: canary('/'), key: canary('') };

/** An HTTP server that refuses everything, and repeats what it was sent. */
export async function openEcho(): Promise<string> {
  const server = createServer((request, response) => {
    const { url, headers } = request;
    const text = JSON.stringify({ url, headers, decoded: decodeURIComponent(url ?? '') });
    response.writeHead(500, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** MCP servers with canaries at every place of a configuration. */
export function servers(echo: string): Record<string, MCPServerConfig> {
  const env = { ...environment, TYPED: '${input:token}', ASKED: 'Bearer ${input:login}', OUTER: '${env:OUTER}' };
  const url = `http://${canary()}:${encodeURIComponent(canary('#'))}@${echo}/mcp/${canary()}?sig=${canary()}&q=${canary()}`;
  const headers = { 'X-Odd': canary(), Cookie: `a=${canary()}`, Authorization: `Bearer ${canary()}` };
  const base = { default_tool_meta: { auto_apply: true } };
  return {
    leaking: {
      ...base,
      name: 'leaking',
      type: 'stdio',
      server_parameters: {
        command: process.execPath,
        args: [fixture, ...commandLine],
        env: { ...env, NAMES: Object.keys(env).join(',') },
      },
    },
    echoing: { ...base, name: 'echoing', type: 'streamable', server_parameters: { url, headers } },
    sse: { ...base, name: 'sse', type: 'sse', server_parameters: { url: `${url}2`, headers } },
    broken: { ...base, name: 'broken', type: 'sse', server_parameters: { url: canary(' '), headers } },
    missing: {
      ...base,
      name: 'missing',
      type: 'stdio',
      server_parameters: { command: `/nowhere/${canary()}`, cwd: `/nowhere/${canary()}` },
    },
  };
}

/** The places in a text where a part of a canary is left, as it is or encoded. */
export function traces(text: string): string[] {
  const readings = [text, unescaped(text), percentDecoded(text), ...base64Decoded(text), ...hexDecoded(text)];
  return readings.flatMap(reading => reading.match(/.{0,40}(?:cAnAr|nArY).{0,20}/gs) ?? []);
}

function unescaped(text: string): string {
  return text
    .replace(/\\+u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '');
}

function percentDecoded(text: string): string {
  return text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

function base64Decoded(text: string): string[] {
  const runs = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [];
  return [0, 1, 2, 3].map(offset =>
    runs.map(run => Buffer.from(run.slice(offset), 'base64').toString('latin1')).join('\n'),
  );
}

function hexDecoded(text: string): string[] {
  return (text.match(/(?:[0-9a-f]{2}){8,}/gi) ?? []).map(run => Buffer.from(run, 'hex').toString('latin1'));
}
