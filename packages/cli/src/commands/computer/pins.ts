import { Computer, type Pin } from '@a2c-smcp/computer';
import { defineCommand, UsageError } from '../../command.ts';
import { inputOption, inputValuesOf } from '../../options.ts';
import { prettyJson } from '../../output/json.ts';
import { showProgress } from '../../output/progress.ts';
import { table } from '../../output/table.ts';
import { configFileOf } from '../config/location.ts';
import { configOption } from './config-option.ts';
import { pinFileOf, pinsOption } from './records.ts';

const ACTIONS = ['list', 'accept', 'forget'] as const;

/** `a2c computer pins` */
export const pins = defineCommand({
  summary: 'List the pinned definitions of tools, accept those that have changed, or forget some.',
  args: '[list|accept|forget] [SERVER [TOOL]]',
  options: {
    ...configOption,
    ...inputOption,
    ...pinsOption,
    json: { type: 'boolean', summary: 'Print JSON' },
  },
  examples: ['a2c computer pins', 'a2c computer pins accept files', 'a2c computer pins forget files write_file'],
  async run({ options, args, env, print, note, style, terminal }) {
    const [word = 'list', server, tool] = args;
    const action = ACTIONS.find(known => known === word);
    if (!action) throw new UsageError(`'${word}' is none of ${ACTIONS.join(', ')}`);
    const file = pinFileOf(options.pins, env);
    if (file === undefined) throw new UsageError('Which file? Name it with --pins FILE');
    const configFile = configFileOf(options.config, env);
    if (configFile === undefined) throw new UsageError('Which configuration? Name it with --config FILE');
    using _ = showProgress(terminal, 'Starting MCP servers');
    const inputValues = inputValuesOf(options);
    await using computer = await Computer.open({ name: 'pins', configFile, env, inputValues, pins: { file } });
    terminal?.status(undefined);
    const { consent } = computer;
    if (action === 'accept') note(`Accepted ${count(consent.acceptPins({ server, tool }))}`);
    if (action === 'forget') note(`Forgot ${count(consent.forgetPins({ server, tool }))}`);
    if (action !== 'list') return;
    const names = new Set(computer.status().map(({ name }) => name));
    const shown = consent.pins().filter(pin => names.has(pin.server) && (server ?? pin.server) === pin.server);
    if (options.json) print(prettyJson(shown));
    else if (shown.length === 0) note('No tool was used yet, so that none is pinned');
    else {
      const paint = (cell: string, column: number) => (column === 3 && cell !== 'same' ? style.red(cell) : cell);
      for (const line of table(['MCP SERVER', 'TOOL', 'SINCE', 'NOW'], shown.map(rowOf), { style, paint })) print(line);
    }
  },
});

function rowOf({ server, tool, pinnedAt, isChanged }: Pin): string[] {
  return [server, tool, pinnedAt.slice(0, 19).replace('T', ' '), isChanged ? 'changed' : 'same'];
}

function count(number: number): string {
  return number === 1 ? 'one definition' : `${number} definitions`;
}
