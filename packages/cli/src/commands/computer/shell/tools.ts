import { readTextFile } from '@a2c-smcp/computer/files';
import { fieldsOf } from '@a2c-smcp/core';
import { findTool } from '@a2c-smcp/protocol';
import * as z from 'zod';
import { UsageError } from '../../../command.ts';
import { readNumber } from '../../../options.ts';
import { showProgress } from '../../../output/progress.ts';
import { resultLines } from '../../../output/result.ts';
import { oneLine, table } from '../../../output/table.ts';
import { mentions, toolDetails, toolList } from '../../../output/tools.ts';
import { readParams, splitWords } from '../../agent/params.ts';
import type { ComputerSession } from '../session.ts';
import { readJsonOrFile, type ShellCommands, type ShellInvocation } from './shell-command.ts';

/** The fields of a request that `tc` needs; the shell is the caller. */
const Call = z.looseObject({ tool_name: z.string(), params: z.record(z.string(), z.unknown()).optional() });

const WHICH_TOOL = "Which tool? 'tools' lists them";

/** The commands about tools. */
export const toolCommands: ShellCommands = {
  tools: {
    args: '[WORD…]',
    summary: 'The tools an Agent sees, by MCP server; with words, those that mention them',
    async run({ session, args, print, style }) {
      const all = session.computer.tools;
      const found = all.filter(mentions(args));
      if (all.length === 0) print("No tools: 'status' shows the MCP servers");
      else if (found.length === 0) print(`None of ${all.length} tools mentions ${args.map(oneLine).join(' and ')}`);
      else for (const line of toolList('', found, style)) print(line);
    },
  },
  tool: {
    args: 'TOOL',
    summary: 'One tool with its parameters and an example call',
    complete: ({ computer }) => computer.tools.map(({ name }) => name),
    async run({ session, args: [name], print, style }) {
      if (name === undefined) throw new UsageError(WHICH_TOOL);
      const tool = findTool(session.computer.tools, name);
      if (!tool) throw new UsageError(`No tool '${name}' here: 'tools' lists them`);
      for (const line of toolDetails(tool, { place: '', call: 'call', style })) print(line);
    },
  },
  call: {
    args: 'TOOL key=value…',
    summary: 'Call a tool; Ctrl-C cancels it',
    complete: completeCall,
    async run(invocation) {
      const [name, ...words] = invocation.args;
      const tool = findTool(invocation.session.computer.tools, name ?? '');
      if (name === undefined) throw new UsageError(WHICH_TOOL);
      await callTool(
        invocation,
        name,
        readParams(await splitWords(words, readTextFile), undefined, tool?.params_schema ?? {}),
      );
    },
  },
  tc: {
    args: 'JSON|@FILE',
    summary: 'Call a tool as an Agent would: {"tool_name": …, "params": {…}}',
    isPrivate: true,
    async run(invocation) {
      const call = Call.safeParse(await readJsonOrFile('tc', invocation.rest));
      if (!call.success) throw new UsageError('tc: expected {"tool_name": "…", "params": {…}}');
      await callTool(invocation, call.data.tool_name, call.data.params ?? {});
    },
  },
  history: {
    args: '[N]',
    summary: 'The last tool calls: outcome, duration and Agent',
    async run({ session, args: [count = '20'], print, style }) {
      const last = readNumber('history', count, { min: 1, max: 1000 });
      const rows = session.computer.history
        .slice(-last)
        .map(({ timestamp, outcome, duration, agent, server, tool, error, parameters }) => [
          timestamp.slice(11, 19),
          outcome,
          `${duration.toFixed(1)} s`,
          agent ?? '(here)',
          server,
          tool,
          error ?? JSON.stringify(parameters),
        ]);
      const paint = (cell: string, column: number) => (column === 1 && cell !== 'ok' ? style.red(cell) : cell);
      const headings = ['TIME', 'OUTCOME', 'TOOK', 'AGENT', 'MCP SERVER', 'TOOL', 'DETAILS'];
      for (const line of table(headings, rows, { style, paint })) print(line);
    },
  },
};

async function callTool(
  { session, signal, terminal, style, print, note }: ShellInvocation,
  tool: string,
  params: Record<string, unknown>,
): Promise<void> {
  using line = showProgress(terminal, style.cyan(oneLine(tool)));
  const result = await session.computer.callTool({ tool, params, signal, onProgress: report => line.report(report) });
  const write = result.isError === true ? note : print;
  for (const line of resultLines(result)) write(line);
}

/** Completes the name of a tool, then the names of its parameters and the values of those with a list of them. */
function completeCall({ computer }: ComputerSession, rest: string): string[] {
  const [name, ...words] = rest.split(/\s+/);
  if (words.length === 0) return computer.tools.map(tool => tool.name);
  const properties = Object.entries(fieldsOf(findTool(computer.tools, name ?? '')?.params_schema.properties));
  const [, typed] = /^([^=]+)=/.exec(words.at(-1) ?? '') ?? [];
  if (typed === undefined) return properties.map(([key]) => `${key}=`);
  const { enum: values } = fieldsOf(properties.find(([key]) => key === typed)?.[1]);
  return Array.isArray(values) ? values.map(value => `${typed}=${value}`) : [];
}
