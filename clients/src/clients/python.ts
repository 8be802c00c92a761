import { assert, type Checks } from '../check.ts';
import { pythonWith, run } from '../processes.ts';
import type { Stage } from '../stage.ts';

const VERSION = '2.3.0';

/** Prints one line for each step. The arguments: mode, then a URL and a token, or a command line. */
const PROGRAM = `
import asyncio, sys, httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

async def use(client):
    tools = await client.list_tools()
    result = await client.call_tool('echo', {'text': 'hello from python'})
    resources = await client.list_resources()
    await client.read_resource(str(resources.resources[0].uri))
    print(client.protocol_version, len(tools.tools), result.content[0].text, sep='|')

async def main(mode, where, *rest):
    if where.startswith('http'):
        async with httpx2.AsyncClient(headers={'Authorization': 'Bearer ' + rest[0]}) as http:
            async with Client(streamable_http_client(where, http_client=http), mode=mode) as client:
                await use(client)
    else:
        async with Client(StdioServerParameters(command=where, args=list(rest)), mode=mode) as client:
            await use(client)

asyncio.run(main(*sys.argv[1:]))
`;

/** The client of the official Python SDK. */
export function pythonClient({ command, http }: Stage): Checks {
  const story = async (mode: string, where: readonly string[]) => {
    const python = await pythonWith(`mcp==${VERSION}`);
    const { out } = await run(python, ['-c', PROGRAM, mode, ...where]);
    const [version, count, text] = out.trim().split('\n').at(-1)?.split('|') ?? [];
    assert(text === 'hello from python', out.slice(-500));
    return `mcp ${VERSION}, ${version}, ${count} tools`;
  };
  return {
    '2025, stdio: tools, call, resources': () => story('legacy', command),
    '2025, HTTP: tools, call, resources': () => story('legacy', [http.url, http.token]),
    '2026, stdio: tools, call, resources': () => story('auto', command),
    '2026, HTTP: tools, call, resources': () => story('auto', [http.url, http.token]),
  };
}
