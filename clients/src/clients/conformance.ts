import { createServer, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { assert, type Checks } from '../check.ts';
import { CONFORMANCE_SUITE, node24, npmPackages, run } from '../processes.ts';
import type { Stage } from '../stage.ts';

const [JUNE_2025, NOVEMBER_2025, JULY_2026] = ['2025-06-18', '2025-11-25', '2026-07-28'];
const ALL = [JUNE_2025, NOVEMBER_2025, JULY_2026];
const OLD = [JUNE_2025, NOVEMBER_2025];

/**
 * The scenarios of the official suite that apply to a bridge. Left out are those that need elicitation, sampling, logging or
 * tasks of the server itself, and resources and prompts of the suite, which an office does not carry.
 */
const SCENARIOS: Record<string, readonly (string | undefined)[]> = {
  'server-initialize': OLD,
  'server-session-lifecycle': OLD,
  ping: OLD,
  'completion-complete': ALL,
  'tools-list': ALL,
  'tools-call-simple-text': ALL,
  'tools-call-image': ALL,
  'tools-call-audio': ALL,
  'tools-call-embedded-resource': ALL,
  'tools-call-mixed-content': ALL,
  'tools-call-error': ALL,
  'json-schema-2020-12': [NOVEMBER_2025, JULY_2026],
  'server-sse-multiple-streams': [NOVEMBER_2025, JULY_2026],
  'resources-list': ALL,
  'resources-subscribe': OLD,
  'resources-unsubscribe': OLD,
  'sep-2164-resource-not-found': [JULY_2026],
  'prompts-list': ALL,
  'dns-rebinding-protection': [NOVEMBER_2025, JULY_2026],
  caching: [JULY_2026],
  'http-header-validation': [JULY_2026],
  'input-required-result-unsupported-methods': [JULY_2026],
};

/** The server scenarios of `@modelcontextprotocol/conformance`. */
export function conformance(stage: Stage): Checks {
  const checks: Checks = {};
  for (const [scenario, revisions] of Object.entries(SCENARIOS)) {
    for (const revision of revisions) {
      checks[`${scenario}, ${revision}`] = () => runScenario(stage, scenario, revision ?? '');
    }
  }
  return checks;
}

async function runScenario({ http }: Stage, scenario: string, revision: string): Promise<string> {
  const folder = await npmPackages(CONFORMANCE_SUITE);
  await using proxy = await authorizingProxy(http);
  const program = join(folder, 'node_modules/.bin/conformance');
  const args = ['server', '--url', proxy.url, '--scenario', scenario, '--spec-version', revision];
  const { code, out } = await run(await node24(), [program, ...args]);
  const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(out) ?? [];
  assert(code === 0 && passed !== undefined && passed === all && passed !== '0', out.slice(-500));
  return `${passed} of ${all}`;
}

/** The suite cannot send a token, so a proxy adds it. All other headers are those of the suite. */
async function authorizingProxy({ url, token }: Stage['http']): Promise<AsyncDisposable & { url: string }> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const forwarded = openRequest(url, { method: request.method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise(resolve => proxy.close(resolve));
    },
  };
}
