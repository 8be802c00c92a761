import type { Agent } from '@a2c-smcp/agent';
import { type CommandContext, defineCommand, UsageError } from '../../command.ts';
import { readNumber } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { oneLine, table } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputer, pickComputers } from './connect.ts';

const options = {
  ...agentOptions,
  ...computerOption,
  content: {
    type: 'string',
    value: 'WORDS',
    summary: 'Search inside documents, on all Computers unless one is named; "a phrase" in quotes',
  },
  type: { type: 'string', value: 'EXT', summary: 'Only documents of this type, such as pdf' },
  offset: { type: 'string', value: 'N', default: '0', summary: 'Skip so many' },
  limit: { type: 'string', value: 'N', default: '20', summary: 'Show at most so many, up to 100' },
} as const;

/** `a2c agent finder` */
export const finder = defineCommand({
  summary: "Search a Computer's documents.",
  args: '[KEYWORD…]',
  options,
  async run(context) {
    const { options } = context;
    const offset = readNumber('--offset', options.offset, { min: 0, max: 1_000_000 });
    const limit = readNumber('--limit', options.limit, { min: 1, max: 100 });
    if (options.content !== undefined && offset > 0) throw new UsageError('--content and --offset exclude each other');
    await using agent = await openAgent(context);
    if (options.content === undefined) await showDocuments(agent, context, { offset, limit });
    else await showHits(agent, context, { content: options.content, limit });
  },
});

type Context = CommandContext<typeof options>;

async function showDocuments(agent: Agent, context: Context, { offset, limit }: { offset: number; limit: number }) {
  const { options, args, print, note, style, signal } = context;
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
}

async function showHits(agent: Agent, context: Context, { content, limit }: { content: string; limit: number }) {
  const { options, args, print, note, style, signal } = context;
  const computers = await pickComputers(agent, context);
  const search = { computers, keywords: args, fileType: options.type, limit, signal };
  const result = await agent.searchDocuments(content, search);
  if (options.json) {
    print(prettyJson(result));
    return;
  }
  if (result.found.length === 0) print('No page mentions these words');
  for (const { computer, document, hit } of result.found) {
    const page = hit.title === document.title ? '' : ` (${oneLine(hit.title)})`;
    const place = computers.length > 1 ? ` on ${oneLine(computer)}` : '';
    print(`${style.bold(oneLine(document.title))}, page ${hit.page_index}${page}${place} ${style.dim(`${hit.score}`)}`);
    print(`  ${oneLine(hit.passage)}`);
    print(`  ${style.dim(oneLine(hit.uri))}`);
  }
  for (const { computer, reason } of result.unsearched) note(`${oneLine(computer)}: ${oneLine(reason)}`);
  if (result.pending > 0) note(`${result.pending} documents are not read yet: search again later to include them`);
}
