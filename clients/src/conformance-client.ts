// The client that the conformance suite starts: a Computer with the server of a scenario as its MCP server. It calls every
// tool that it offers, all at once, or those that the scenario asks for.
import { Computer } from '@a2c-smcp/computer';
import { type AuthContext, oauthOf, Person } from './conformance-auth.ts';

type Context = AuthContext & { toolCalls?: { name: string; arguments: Record<string, unknown> }[] };

const JULY_2026 = '2026-07-28';

const [url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_PROTOCOL_VERSION: revision, MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
const { MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env;
const { toolCalls, ...client } = JSON.parse(context) as Context;

await using computer = await Computer.open({
  name: 'conformance',
  servers: {
    suite: {
      type: 'streamable',
      mcp_protocol: revision === JULY_2026 ? 'auto' : 'legacy',
      default_tool_meta: { auto_apply: true },
      server_parameters: { url },
      ...(scenario.startsWith('auth/') ? { oauth: oauthOf(scenario, client) } : {}),
    },
  },
  // The Computer fills in the defaults of the form.
  elicit: async () => ({ action: 'accept', content: {} }),
});
const person = new Person(computer);
await person.attend();
const [status] = computer.status();
if (status?.state !== 'ready') throw new Error(`The MCP server is not ready: ${status?.error}`);
const [first] = computer.tools;
const calls =
  toolCalls?.map(call => ({ tool: call.name, params: call.arguments })) ??
  computer.tools.map(({ name, params_schema }) => ({ tool: name, params: argumentsFor(params_schema) }));
const results = await Promise.all(calls.map(call => person.call(() => computer.callTool(call))));
// Some servers of the suite have no method for calls, and look at the list alone.
const failed = results.find(({ isError, content }) => isError && !JSON.stringify(content).includes('Method not found'));
if (failed) throw new Error(JSON.stringify(failed.content));

/** A value for each parameter. One that is called `schema` gets that of the first tool, which a scenario compares. */
function argumentsFor({
  properties = {},
}: {
  properties?: Record<string, { type?: string }>;
}): Record<string, unknown> {
  const values: Record<string, unknown> = {
    string: 'text',
    integer: 1,
    number: 1,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = 'string' }]) => [
      name,
      name === 'schema' ? first?.params_schema : values[type],
    ]),
  );
}
