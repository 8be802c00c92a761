import { join } from 'node:path';
import { assert, type Checks } from '../check.ts';
import { node24, npmPackages, run } from '../processes.ts';
import type { Stage } from '../stage.ts';

const VERSION = '2.12.0';

/** The command line of the MCP Inspector. */
export function inspector({ command, http }: Stage): Checks {
  const inspect = async (era: string, method: string[], way: 'stdio' | 'HTTP') => {
    const folder = await npmPackages(`@modelcontextprotocol/inspector@${VERSION}`);
    const program = join(folder, 'node_modules/.bin/mcp-inspector');
    const remote = [http.url, '--transport', 'http', '--header', `Authorization: Bearer ${http.token}`];
    const options = ['--method', ...method, '--protocol-era', era, '--format', 'json'];
    const args = way === 'HTTP' ? [...remote, ...options] : [...options, '--', ...command];
    const { out } = await run(await node24(), [program, '--cli', ...args]);
    return out;
  };
  const story = async (era: string, way: 'stdio' | 'HTTP') => {
    const listed = await inspect(era, ['tools/list'], way);
    assert(listed.includes('"name":"echo"'), listed.slice(-500));
    const called = await inspect(era, ['tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hello'], way);
    assert(called.includes('"text":"hello"'), called.slice(-500));
    const resources = await inspect(era, ['resources/list'], way);
    assert(resources.includes('a2c://desk/desktop'), resources.slice(-500));
    return `Inspector ${VERSION}`;
  };
  const checks: Checks = {};
  for (const era of ['legacy', 'modern', 'auto']) {
    for (const way of ['stdio', 'HTTP'] as const) {
      checks[`${era}, ${way}: tools, call, resources`] = () => story(era, way);
    }
  }
  return checks;
}
