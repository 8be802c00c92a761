import { defineCommand } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { table } from '../../output/table.ts';
import { agentOptions, openAgent } from './connect.ts';

/** `a2c agent members` */
export const members = defineCommand({
  summary: 'List who is in the office.',
  options: agentOptions,
  async run(context) {
    const { options, print, style, signal } = context;
    await using agent = await openAgent(context);
    const sessions = await agent.members({ signal });
    if (options.json) {
      print(prettyJson(sessions));
      return;
    }
    const rows = sessions.map(({ role = '', name = '', a2c_version, sid = '' }) => [
      role,
      name,
      a2c_version ?? '?',
      sid,
    ]);
    for (const line of table(['ROLE', 'NAME', 'PROTOCOL', 'SESSION'], rows.toSorted(), { style, keep: 1 })) print(line);
  },
});
