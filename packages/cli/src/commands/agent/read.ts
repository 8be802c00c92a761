import type { Agent } from '@a2c-smcp/agent';
import { type DPEDocument, type DPEPage, parseDpeUri } from '@a2c-smcp/protocol';
import { defineCommand, UsageError } from '../../command.ts';
import { readChoice } from '../../options.ts';
import { saveAttachments } from '../../output/attachments.ts';
import { prettyJson } from '../../output/json.ts';
import { blockLines, SAVE_HINT } from '../../output/result.ts';
import type { Style } from '../../output/style.ts';
import { columns, oneLine, safeText, table } from '../../output/table.ts';
import { agentOptions, computerOption, openAgent, pickComputer, saveOption } from './connect.ts';

const FORMATS = ['markdown', 'text', 'json'] as const;
type Format = (typeof FORMATS)[number];

/** The data for `--json`, and the lines for a person. */
interface Reading {
  data: unknown;
  lines: string[];
}

/** `a2c agent read` */
export const read = defineCommand({
  summary: 'Read a document, one of its pages or elements, a window, or any other resource.',
  args: 'URI',
  options: {
    ...agentOptions,
    ...computerOption,
    ...saveOption,
    format: {
      type: 'string',
      short: 'f',
      value: FORMATS.join('|'),
      default: 'markdown',
      summary: 'How to render a page',
    },
  },
  examples: [
    'a2c agent read dpe://files/report           # the document and its pages',
    'a2c agent read dpe://files/report/pages/0   # the first page',
    'a2c agent read dpe://files/report/elements/image-1 --save .   # the element and its picture',
    'a2c agent read file:///srv/logo.png --save .',
  ],
  async run(context) {
    const { options, args, print, style, signal } = context;
    const [uri] = args;
    if (uri === undefined) throw new UsageError("Which URI? 'a2c agent finder' lists documents");
    const format = readChoice('--format', options.format, FORMATS);
    const isDpe = uri.startsWith('dpe:');
    const isSaved = options.save !== undefined;
    if (isDpe && isSaved && parseDpeUri(uri).element === undefined) {
      const reason = '--save is for other resources, and for elements with their pictures';
      throw new UsageError(`${reason}: redirect the output, as in 'a2c agent read URI > FILE'`);
    }
    await using agent = await openAgent(context);
    const computer = await pickComputer(agent, context);
    const { data, lines } =
      isDpe && !isSaved
        ? await readDpe(agent, { computer, uri, format, style, signal })
        : await readOther(agent, { computer, uri, folder: options.save, signal });
    if (options.json) print(prettyJson(data));
    else for (const line of lines) print(line);
  },
});

interface Wanted {
  computer: string;
  uri: string;
  format: Format;
  style: Style;
  signal: AbortSignal;
}

async function readDpe(agent: Agent, { computer, uri, format, style, signal }: Wanted): Promise<Reading> {
  const { page, element } = parseDpeUri(uri);
  if (page !== undefined) {
    const data = await agent.readPage(computer, uri, page, { format, signal });
    return { data, lines: pageLines(data) };
  }
  if (element !== undefined) {
    const data = await agent.readElement(computer, uri, element, { signal });
    return { data, lines: [prettyJson(data.content)] };
  }
  const data = await agent.readPages(computer, uri, { limit: 100, signal });
  return { data, lines: documentLines(data, style) };
}

async function readOther(
  agent: Agent,
  { computer, uri, folder, signal }: Pick<Wanted, 'computer' | 'uri' | 'signal'> & { folder: string | undefined },
): Promise<Reading> {
  const data = await agent.readResource(computer, uri, { signal });
  const blocks = data.map(resource => ({ type: 'resource' as const, resource }));
  const saved = folder === undefined ? undefined : await saveAttachments(blocks, folder);
  return { data, lines: blockLines(blocks, { saved, hint: SAVE_HINT }) };
}

/** The rendering of a page, or its elements if it has none. */
export function pageLines({ content_markdown, content_text, elements }: DPEPage): string[] {
  const rendering = content_markdown ?? content_text;
  if (rendering !== undefined) return safeText(rendering).trimEnd().split('\n');
  return elements.map(({ category, summary, content }) =>
    oneLine(`${category}  ${summary ?? JSON.stringify(content)}`),
  );
}

function documentLines(document: DPEDocument, style: Style): string[] {
  const { title, file_type, page_count, last_modified, keywords = [], summary, pages = [] } = document;
  const facts = [
    ['title', title],
    ['type', file_type],
    ['pages', String(page_count)],
    ['changed', last_modified ?? ''],
    ['keywords', keywords.join(', ')],
    ['summary', summary ?? ''],
  ].filter(([, value]) => value !== '');
  const rows = pages.map(page => [String(page.page_index), page.title, String(page.element_count), page.uri]);
  return [
    ...columns(facts.map(([name = '', value = '']) => [style.dim(name), oneLine(value)])),
    ...(rows.length > 0 ? ['', ...table(['PAGE', 'TITLE', 'ELEMENTS', 'URI'], rows, { style, keep: 3 })] : []),
  ];
}
