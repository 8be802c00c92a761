import { fieldsOf } from '@a2c-smcp/core';
import type { GetComputerConfigRet } from '@a2c-smcp/protocol';
import { defineCommand } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import type { Style } from '../../output/style.ts';
import { oneLine, table } from '../../output/table.ts';
import { agentOptions, computerOption, namedComputer, openAgent, pickComputer } from './connect.ts';

/** `a2c agent config` */
export const config = defineCommand({
  summary: "Show a Computer's MCP servers and inputs; secrets are placeholders.",
  args: '[COMPUTER]',
  options: { ...agentOptions, ...computerOption },
  examples: ['a2c agent config desk', 'a2c agent config desk --json   # the whole configuration'],
  async run(context) {
    const { options, print, style, signal } = context;
    const wanted = namedComputer(context);
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, wanted);
    const found = await agent.getConfig(computer, { signal });
    if (options.json) print(prettyJson(found));
    else if (Object.keys(found.servers).length === 0) print(`'${oneLine(computer)}' has no MCP servers`);
    else for (const line of configLines(found, style)) print(line);
  },
});

function configLines({ servers, inputs }: GetComputerConfigRet, style: Style): string[] {
  const rows = Object.entries(servers).map(([name, { type, disabled, server_parameters }]) => [
    name,
    disabled === true ? `${type}, disabled` : type,
    commandText(fieldsOf(server_parameters)),
  ]);
  const asked = (inputs ?? []).map(({ id, type, description }) => [id, type, description ?? '']);
  return [
    ...table(['MCP SERVER', 'TYPE', 'COMMAND'], rows, { style, keep: 0 }),
    ...(asked.length > 0 ? ['', ...table(['INPUT', 'TYPE', 'DESCRIPTION'], asked, { style, keep: 0 })] : []),
  ];
}

/** The command line of a process, or the URL of a remote MCP server. */
function commandText({ command, args, url }: Record<string, unknown>): string {
  return [command ?? url, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string').join(' ');
}
