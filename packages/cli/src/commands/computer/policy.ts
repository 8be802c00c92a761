import { Computer } from '@a2c-smcp/computer';
import { type CommandGroup, defineCommand, UsageError } from '../../command.ts';
import { inputOption, inputValuesOf, readTextSource } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { showProgress } from '../../output/progress.ts';
import { oneLine } from '../../output/table.ts';
import { jsonOf, readParams, splitWords } from '../agent/params.ts';
import { configFileOf } from '../config/location.ts';
import { configOption } from './config-option.ts';
import { pinFileOf, pinsOption } from './records.ts';

/** `a2c computer policy test` */
const test = defineCommand({
  summary: 'Say which rule would decide about a tool call, and why. The tool is not run; its MCP server is started.',
  args: 'TOOL [key=value…]',
  options: {
    ...configOption,
    ...inputOption,
    ...pinsOption,
    agent: {
      type: 'string',
      value: 'NAME',
      summary: 'The Agent that calls; without one it is a call from this machine',
    },
    office: { type: 'string', value: 'ID', summary: 'The office that the call comes from' },
    params: { type: 'string', short: 'p', value: 'JSON', summary: 'The parameters as a JSON object' },
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  examples: ['a2c computer policy test delete_file path=/etc/hosts --agent assistant'],
  async run(context) {
    const { options, args, env, print, style, terminal } = context;
    const [tool, ...words] = args;
    if (tool === undefined) throw new UsageError('Which tool?');
    const configFile = configFileOf(options.config, env);
    if (configFile === undefined) throw new UsageError('Which configuration? Name it with --config FILE');
    const read = (path: string) => readTextSource(path, context);
    using _ = showProgress(terminal, 'Starting MCP servers');
    const file = pinFileOf(options.pins, env);
    await using computer = await Computer.open({
      name: 'policy',
      configFile,
      env,
      inputValues: inputValuesOf(options),
      pins: file === undefined ? {} : { file },
    });
    const schema = computer.tools.find(({ name }) => name === tool)?.params_schema ?? {};
    const params = readParams(await splitWords(words, read), await jsonOf(options.params, read), schema);
    const { agent, office } = options;
    const forecast = computer.consent.explain({
      tool,
      params,
      ...(agent === undefined ? {} : { agent }),
      ...(office === undefined ? {} : { office }),
    });
    terminal?.status(undefined);
    if (options.json) print(prettyJson(forecast));
    else {
      const paint = { allow: style.green, ask: style.yellow, deny: style.red }[forecast.decision];
      print(`${paint(forecast.decision)}  ${oneLine(forecast.why)}`);
      for (const line of forecast.change ?? []) print(`  ${oneLine(line)}`);
    }
  },
});

/** `a2c computer policy` */
export const policy: CommandGroup = { summary: "The owner's rules about tool calls.", commands: { test } };
