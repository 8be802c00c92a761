import * as z from 'zod';
import { UsageError } from '../command.ts';
import { readParams } from '../commands/agent/params.ts';
import { toolRow } from '../commands/agent/tools.ts';
import type { ComputerHost } from '../computer/host.ts';
import { readNumber } from '../options.ts';
import { showProgress } from '../output/progress.ts';
import { resultLines } from '../output/result.ts';
import { oneLine, table } from '../output/table.ts';
import { readJsonOrFile, type ShellCommands, type ShellInvocation } from './shell-command.ts';

/** What `tc` needs of a request; who asks is us. */
const Call = z.looseObject({ tool_name: z.string(), params: z.record(z.string(), z.unknown()).optional() });

/** The commands about tools. */
export const toolCommands: ShellCommands = {
  tools: {
    summary: 'The tools an Agent sees',
    async run({ host, print, style }) {
      const paint = (cell: string, column: number) => (column === 0 ? style.cyan(cell) : cell);
      const rows = host.computer.tools.map(toolRow);
      for (const line of table(['TOOL', 'PARAMETERS', 'DESCRIPTION'], rows, { style, paint })) print(line);
    },
  },
  call: {
    args: 'TOOL key=value…',
    summary: 'Call a tool; Ctrl-C cancels it',
    complete: completeCall,
    async run(invocation) {
      const [name, ...words] = invocation.args;
      const tool = invocation.host.computer.tools.find(each => each.name === name);
      if (name === undefined) throw new UsageError("Which tool? 'tools' lists them");
      await callTool(invocation, name, readParams(words, undefined, tool?.params_schema ?? {}));
    },
  },
  tc: {
    args: 'JSON|@FILE',
    summary: 'Call a tool as an Agent would: {"tool_name": …, "params": {…}}',
    async run(invocation) {
      const call = Call.safeParse(await readJsonOrFile('tc', invocation.rest));
      if (!call.success) throw new UsageError('tc: expected {"tool_name": "…", "params": {…}}');
      await callTool(invocation, call.data.tool_name, call.data.params ?? {});
    },
  },
  history: {
    args: '[N]',
    summary: 'The last tool calls',
    async run({ host, args: [count = '20'], print, style }) {
      const last = readNumber('history', count, { min: 1, max: 1000 });
      const rows = host.computer.history
        .slice(-last)
        .map(({ timestamp, server, tool, success, error, parameters }) => [
          timestamp.slice(11, 19),
          success ? 'ok' : 'failed',
          server,
          tool,
          error ?? JSON.stringify(parameters),
        ]);
      const paint = (cell: string, column: number) => (column === 1 && cell === 'failed' ? style.red(cell) : cell);
      for (const line of table(['TIME', 'OUTCOME', 'MCP SERVER', 'TOOL', 'DETAILS'], rows, { style, paint }))
        print(line);
    },
  },
};

async function callTool(
  { host, signal, terminal, style, print, note }: ShellInvocation,
  tool: string,
  params: Record<string, unknown>,
): Promise<void> {
  using _ = showProgress(terminal, seconds => `${style.cyan(oneLine(tool))} … ${seconds} s`);
  const result = await host.computer.callTool({ tool, params, signal });
  const write = result.isError === true ? note : print;
  for (const line of resultLines(result)) write(line);
}

/** The tools' names, then the parameters of the one that was chosen. */
function completeCall({ computer }: ComputerHost, rest: string): string[] {
  const [name, ...words] = rest.split(/\s+/);
  if (words.length === 0) return computer.tools.map(tool => tool.name);
  const properties = computer.tools.find(tool => tool.name === name)?.params_schema.properties;
  return Object.keys(properties ?? {}).map(key => `${key}=`);
}
