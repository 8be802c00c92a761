import { readTextFile } from '@a2c-smcp/computer/files';
import { diffLines, isObject, parseJson } from '@a2c-smcp/core';
import { Vrl, VrlCompileError, VrlRuntimeError } from '@a2c-smcp/vrl';
import { defineCommand, UsageError, type World } from '../command.ts';
import { Exit } from '../failure.ts';
import { prettyJson } from '../output/json.ts';
import { oneLine, safeText } from '../output/table.ts';
import { summaries } from './summaries.ts';

/** The default event: the result of a tool, as a Computer passes it to a script. */
const SAMPLE_EVENT = {
  content: [{ type: 'text', text: 'hi' }],
  isError: false,
  tool_name: 'echo',
  parameters: { text: 'hi' },
};

/** `a2c vrl` */
export const vrl = defineCommand({
  summary: summaries.vrl,
  args: 'FILE',
  options: {
    input: { type: 'string', short: 'i', value: 'JSON', summary: 'The event, or @FILE; else a sample tool result' },
    timezone: { type: 'string', value: 'ZONE', default: 'UTC', summary: 'The zone of times that name none' },
    json: { type: 'boolean', summary: 'Print the resulting event as JSON' },
  },
  examples: ['a2c vrl transform.vrl --input \'{"content": []}\'', 'a2c vrl transform.vrl --input @event.json --json'],
  async run({ options, args, ...world }) {
    const [file, ...more] = args;
    if (file === undefined || more.length > 0) throw new UsageError('Name one script, as in a2c vrl transform.vrl');
    const source = await readTextFile(file);
    const before = await readEvent(options.input);
    try {
      using program = await Vrl.compile(source);
      const after = JSON.parse(program.runJson(JSON.stringify(before), { timezone: options.timezone }).event);
      if (options.json) world.print(prettyJson(after));
      else showChanges(before, after, world);
      return Exit.ok;
    } catch (error) {
      // Several lines: the compiler shows the place in the source.
      if (error instanceof VrlCompileError) world.note(safeText(error.text).trimEnd());
      else if (error instanceof VrlRuntimeError) world.note(`a2c: The script failed: ${oneLine(error.message)}`);
      else throw error;
      return Exit.failed;
    }
  },
});

async function readEvent(input: string | undefined): Promise<unknown> {
  if (input === undefined) return SAMPLE_EVENT;
  const text = input.startsWith('@') ? await readTextFile(input.slice(1)) : input;
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(
      '--input is not JSON, or nested too deeply: give an event as in {"content": []}, or a file as in @event.json',
    );
  }
}

function showChanges(before: unknown, after: unknown, { print, style }: World): void {
  const paint = { ' ': style.dim, '-': style.red, '+': style.green };
  // The engine sorts keys, which is not a change.
  for (const { sign, text } of diffLines(prettyJson(sorted(before)), prettyJson(sorted(after)))) {
    print(paint[sign](`${sign} ${text}`));
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map(key => [key, sorted(value[key])]));
}
