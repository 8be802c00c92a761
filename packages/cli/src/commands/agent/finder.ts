import { defineCommand } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine, table } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputer } from './connect.ts';

/** `a2c agent finder` */
export const finder = defineCommand({
  summary: "Search a Computer's documents.",
  args: '[KEYWORD…]',
  options: {
    ...agentOptions,
    ...computerOption,
    type: { type: 'string', value: 'EXT', summary: 'Only documents of this type, such as pdf' },
    offset: { type: 'string', value: 'N', default: '0', summary: 'Skip so many' },
    limit: { type: 'string', value: 'N', default: '20', summary: 'Show at most so many, up to 100' },
  },
  async run(context) {
    const { options, args, print, note, style, signal } = context;
    const offset = readNumber('--offset', options.offset, { min: 0, max: 1_000_000 });
    const limit = readNumber('--limit', options.limit, { min: 1, max: 100 });
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, context);
    const page = await agent.getFinder(computer, { keywords: args, fileType: options.type, offset, limit, signal });
    if (options.json) {
      print(prettyJson(page));
      return;
    }
    if (page.totalCount === 0) {
      print(
        args.length > 0
          ? 'No document matches'
          : `No documents: no MCP server of '${oneLine(computer)}' has dpe:// resources`,
      );
      return;
    }
    const rows = page.documents.map(({ uri, title, file_type, last_modified }) => [
      file_type ?? '',
      title ?? '',
      last_modified?.slice(0, 10) ?? '',
      uri,
    ]);
    for (const line of table(['TYPE', 'TITLE', 'CHANGED', 'URI'], rows, { style, keep: 3 })) print(line);
    const last = offset + page.documents.length;
    if (last < page.totalCount) note(style.dim(`${last} of ${page.totalCount}: --offset ${last} shows more`));
  },
});
