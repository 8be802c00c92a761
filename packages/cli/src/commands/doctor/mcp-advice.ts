import type { MCPServerConfig } from '@a2c-smcp/protocol';

/** Remedies by what the error of a server says, for every transport. */
const BY_ERROR: [pattern: RegExp, remedy: string][] = [
  [/^inputs\./, 'Give the input its value'],
  [/has no variable '([^']+)'/, "Set '$1' in the environment of the Computer"],
  [/\.vrl: /, "Correct the script; 'a2c vrl' tries it on a result"],
  [/bundle_id/, "Give one of the two another 'bundle_id'"],
  [/envFile/, 'Create the file, or correct its path'],
];

const BY_HTTP_ERROR: [pattern: RegExp, remedy: string][] = [
  [
    /run '(a2c computer sign-in [^']+)'/,
    "Run '$1', and check with the same --store; a server that takes a key gets it in its 'headers'",
  ],
  [
    /HTTP 40[13]|[Uu]nauthori[sz]ed/,
    "Give it credentials, as in 'headers': { 'Authorization': 'Bearer ${input:token}' }",
  ],
  [/^HTTP 40[45]/, 'Check the path of its URL'],
  [/CERT|certificate/, 'Its certificate is not trusted: start with NODE_EXTRA_CA_CERTS=FILE of its authority'],
];

const BY_PROCESS_ERROR: [pattern: RegExp, remedy: string][] = [
  [/ENOENT|^No command |not found/i, 'Install the program, or give its whole path'],
  [/EACCES/, 'Make the program executable, or name the interpreter that runs it'],
];

/** Programs that may fetch a package at every start. */
const FETCHERS = /(?:^|[\\/])(?:npx|bunx|pnpx|uvx|pipx|docker|podman)(?:\.cmd|\.exe)?$/;

/** The remedy for an MCP server that does not start. */
export function failedServer({ type }: MCPServerConfig, error: string): string {
  const isProcess = type === 'stdio';
  const known = [...BY_ERROR, ...(isProcess ? BY_PROCESS_ERROR : BY_HTTP_ERROR)];
  for (const [pattern, remedy] of known) {
    const found = pattern.exec(error);
    if (found) return remedy.replace('$1', found[1] ?? '');
  }
  return isProcess
    ? 'Run its command in a terminal and see what it says'
    : 'Check its URL, that it runs there, and firewalls and proxies between';
}

/** The remedy for an MCP server that takes long to start. */
export function slowServer(config: MCPServerConfig): string {
  if (config.type !== 'stdio') return 'Its machine or the way there is slow; its tools appear when it is ready';
  if (FETCHERS.test(config.server_parameters.command)) {
    return 'Install it locally: packages fetched at every start are slow and fail offline';
  }
  return 'It takes its time; a Computer does not wait for it, and its tools appear when it is ready';
}
