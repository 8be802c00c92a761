import { type Checks, expect } from '../../check.ts';
import { isBefore } from '../../line.ts';
import type { ComputerStage } from '../../stages/computer-stage.ts';
import { CHOICE, SECRET } from '../../stages/fixture.ts';

interface ShownInput {
  id?: unknown;
  type?: unknown;
  options?: unknown[];
}

/** Checks the configuration that an Agent sees. */
export const config: Checks<ComputerStage> = {
  'event.client.get-config': async stage => {
    const { servers } = await stage.ask('client:get_config');
    const names = Object.keys((servers ?? {}) as object);
    expect(names.includes('fixture'), "a map of servers with the key 'fixture'", servers);
  },
  'get-config.masked': async stage => {
    const answer = await stage.ask('client:get_config');
    const isShown = JSON.stringify(answer).includes(SECRET);
    expect(!isShown, 'a literal value of env to be masked', `the value ${SECRET}`);
  },
  'struct.input.pick-string': async stage => {
    const choice = await shownChoice(stage);
    expect(choice.type === 'pickString', 'the type `pickString`', choice);
  },
  'pick-string.shape': async stage => {
    const { options = [] } = await shownChoice(stage);
    const wanted = isBefore(stage.line, '0.3') ? CHOICE.options.map(({ value }) => value) : CHOICE.options;
    expect(JSON.stringify(options) === JSON.stringify(wanted), `the options ${JSON.stringify(wanted)}`, options);
  },
};

async function shownChoice(stage: ComputerStage): Promise<ShownInput> {
  const { inputs } = (await stage.ask('client:get_config')) as { inputs?: ShownInput[] | null };
  const choice = inputs?.find(({ id }) => id === CHOICE.id);
  expect(choice !== undefined, `the input '${CHOICE.id}'`, inputs);
  return choice;
}
