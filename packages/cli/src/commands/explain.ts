import { defineCommand, UsageError } from '../command.ts';
import { errorCodes, explanationOf } from '../output/error-codes.ts';
import { prettyJson } from '../output/json.ts';
import { listing, textWidth, wrap } from '../output/wrap.ts';
import { summaries } from './summaries.ts';

/** `a2c explain` */
export const explain = defineCommand({
  summary: summaries.explain,
  args: '[CODE]',
  options: { json: { type: 'boolean', summary: 'Print JSON' } },
  examples: ['a2c explain 4005'],
  async run({ options, args, print, style }) {
    const [wanted] = args;
    const found = errorCodes.filter(({ code, name }) => wanted === undefined || [String(code), name].includes(wanted));
    if (found.length === 0) throw new UsageError(`There is no error code '${wanted}': 'a2c explain' lists all`);
    const texts = found.map(({ code, name }) => ({ code, name, text: explanationOf(code) }));
    if (options.json) {
      print(prettyJson(wanted === undefined ? texts : texts[0]));
      return;
    }
    const lines =
      wanted === undefined
        ? listing(
            texts.map(({ code, name, text }) => [`${code} ${name}`, text]),
            textWidth(style),
          )
        : texts.flatMap(({ code, name, text }) => [style.bold(`${code} ${name}`), ...wrap(text, textWidth(style))]);
    for (const line of lines) print(line);
  },
});
