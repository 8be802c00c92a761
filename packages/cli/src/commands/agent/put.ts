import { basename } from 'node:path';
import { defineCommand, UsageError } from '../../command.ts';
import { prettyJson } from '../../output/json.ts';
import { progressBar } from '../../output/progress.ts';
import { oneLine } from '../../output/table.ts';
import { agentOptions, openAgent } from './connect.ts';

/** `a2c agent put` */
export const put = defineCommand({
  summary: 'Send a file to a Computer that takes uploads, and print its path there.',
  args: 'COMPUTER FILE',
  options: {
    ...agentOptions,
    as: { type: 'string', value: 'NAME', summary: 'The name of the file on the Computer' },
  },
  examples: [
    'a2c agent put desk report.xlsx',
    'a2c agent call read_sheet path="$(a2c agent put desk report.xlsx)"   # use it at once',
  ],
  async run(context) {
    const { options, args, print, signal, terminal, style } = context;
    const [computer, file, ...others] = args;
    if (computer === undefined) throw new UsageError("Which Computer? 'a2c agent members' lists them");
    if (file === undefined) throw new UsageError('Which file?');
    if (others.length > 0) throw new UsageError('One file at a time');
    await using agent = await openAgent(context);
    const { as: name = basename(file) } = options;
    const label = `${style.cyan(oneLine(name))} to ${oneLine(computer)}`;
    try {
      const uploaded = await agent.upload(computer, file, {
        name,
        signal,
        onProgress: ({ sent, total }) => terminal?.status(`${label} ${progressBar(sent, total)}`),
      });
      print(options.json ? prettyJson(uploaded) : oneLine(uploaded.path));
    } finally {
      terminal?.status(undefined);
    }
  },
});
