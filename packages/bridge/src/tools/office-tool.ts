import { within } from '@a2c-smcp/core';
import type { OfficeAccess } from '../office-access.ts';
import type { OfficeAgent } from '../office-agent.ts';
import { showsComputer } from '../options.ts';
import { type BuiltInTool, builtInDefinition } from './built-in.ts';
import { textResult } from './results.ts';
import type { ToolTable } from './tool-table.ts';

const MEMBERS_TIMEOUT_MS = 5000;

/** Says who is in the office, what each Computer offers, and why something is missing. Answers without a seat, too. */
export function officeTool(access: OfficeAccess, table: () => ToolTable): BuiltInTool {
  return {
    definition: builtInDefinition({
      name: 'office',
      title: 'Office',
      description:
        'Shows the office: its computers, how many tools each offers, and why tools are missing. ' +
        'Use it first, and whenever a tool or a computer is not there.',
      properties: {},
    }),
    async run(_, signal) {
      const agent = await access.agent().catch(() => undefined);
      if (!agent) return textResult(noSeat(access));
      const members = await within(agentNames(agent), { timeout: MEMBERS_TIMEOUT_MS, signal }).catch(() => undefined);
      return textResult([headline(agent, members), '', ...computerLines(access, agent, table())].join('\n'));
    },
  };
}

function noSeat({ seat }: OfficeAccess): string {
  const reason = seat.problem?.message ?? 'the connection to the Server is lost';
  return [
    'This office cannot be used at the moment, and its tools are missing.',
    `Reason: ${reason}`,
    'The bridge tries again by itself; the tools appear when it has joined.',
  ].join('\n');
}

async function agentNames(agent: OfficeAgent): Promise<string[]> {
  const members = await agent.members();
  return members.flatMap(({ role, name }) => (role === 'agent' && name !== undefined ? [name] : []));
}

function headline(agent: OfficeAgent, agents: string[] | undefined): string {
  const name = agents?.[0];
  const seat = name === undefined ? '' : ` You use it as its agent '${name}'.`;
  const connection = agent.joined ? '' : ' The connection to the Server is lost at the moment.';
  return `Office '${agent.office}'.${seat}${connection}`;
}

function computerLines(access: OfficeAccess, agent: OfficeAgent, { counts }: ToolTable): string[] {
  const shown = access.computers(agent);
  const lines = shown.map(name => {
    const { offered = 0, hidden = 0, oversized = 0, tokens = 0 } = counts.get(name) ?? {};
    const left = hidden > 0 ? `; ${hidden} more are hidden by the settings of this bridge` : '';
    const large = oversized > 0 ? `; ${oversized} more are left out, because their definitions are too large` : '';
    return `- computer '${name}': ${offered} tools (about ${tokens} tokens)${left}${large}`;
  });
  if (shown.length === 0) lines.push('No computer is here at the moment.');
  const hidden = [...agent.computers.keys()].filter(name => !showsComputer(access.filter, name));
  if (hidden.length > 0) lines.push(`${hidden.length} more computers are hidden by the settings of this bridge.`);
  const absent = (access.filter.computers ?? []).filter(name => !agent.computers.has(name));
  if (absent.length > 0) lines.push(`Not here: ${absent.map(name => `'${name}'`).join(', ')}.`);
  return lines;
}
