import { isCancelled } from '@a2c-smcp/agent';
import { defineCommand, UsageError } from '../../command.ts';
import { Exit } from '../../failure.ts';
import { readTextSource } from '../../options.ts';
import { saveAttachments } from '../../output/attachments.ts';
import { prettyJson } from '../../output/json.ts';
import { showProgress } from '../../output/progress.ts';
import { resultLines, SAVE_HINT } from '../../output/result.ts';
import { oneLine } from '../../output/table.ts';
import { agentOptions, collectTools, computerOption, openAgent, saveOption } from './connect.ts';
import { jsonOf, readParams, splitWords } from './params.ts';
import { pickTool } from './pick-tool.ts';

/** `a2c agent call` */
export const call = defineCommand({
  summary: 'Call a tool. Ctrl-C cancels the call.',
  args: 'TOOL [key=value…]',
  options: {
    ...agentOptions,
    ...computerOption,
    params: {
      type: 'string',
      short: 'p',
      value: 'JSON',
      summary: 'The parameters as a JSON object, @FILE with one, or - for standard input',
    },
    ...saveOption,
  },
  examples: [
    "a2c agent call calculate expression='2 * 21'        # the tool's schema decides the type",
    'a2c agent call edit path=a.txt edits:=\'[{"a": 1}]\'  # := takes JSON',
    'a2c agent call tag name=one name=two page.number=3  # a list; a field of an object',
    'a2c agent call write text=@notes.txt                # the text of a file; @- is standard input, @@ an @',
    'a2c agent call time -p \'{"timezone": "Asia/Tokyo"}\'',
    'jq .params request.json | a2c agent call time -p -',
  ],
  async run(context) {
    const { options, args, print, note, style, signal, terminal } = context;
    const [name, ...words] = args;
    if (name === undefined) throw new UsageError("Which tool? 'a2c agent tools' lists them");
    const read = (path: string) => readTextSource(path, context);
    const given = await splitWords(words, read);
    const json = await jsonOf(options.params, read);
    await using agent = await openAgent(context);
    const { computer, tool } = pickTool(await collectTools(agent, context), name);
    const params = readParams(given, json, tool.params_schema);
    using line = showProgress(terminal, `${style.cyan(oneLine(name))} on ${oneLine(computer)}`);
    const result = await agent.callTool(
      { computer, tool: tool.name, params },
      { signal, onProgress: report => line.report(report) },
    );
    terminal?.status(undefined);
    const saved = options.save === undefined ? undefined : await saveAttachments(result.content, options.save);
    if (options.json) print(prettyJson(result));
    else
      for (const line of resultLines(result, { saved, hint: SAVE_HINT }))
        (result.isError === true ? note : print)(line);
    if (options.json) for (const path of saved?.values() ?? []) note(style.dim(`saved as ${path}`));
    if (isCancelled(result)) return Exit.interrupted;
    return result.isError === true ? Exit.failed : Exit.ok;
  },
});
