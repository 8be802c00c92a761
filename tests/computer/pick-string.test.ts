import { Agent } from '@a2c-smcp/agent';
import { Computer, type ComputerOptions, memoryStore } from '@a2c-smcp/computer';
import { type MCPServerInput, parseComputerConfig } from '@a2c-smcp/protocol';
import { SmcpServer } from '@a2c-smcp/server';
import { RawPeer } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { fixture, textOf } from './office.ts';

const pairs = [
  { label: 'Europe', value: 'eu' },
  { label: 'America', value: 'us' },
];
const region: MCPServerInput = { id: 'region', type: 'pickString', description: 'Region', options: pairs };
const plan: MCPServerInput = {
  ...{ id: 'plan', type: 'pickString', description: 'Plan' },
  ...{ options: ['full', 'free'], default: 'full' },
};

function open(options: Partial<ComputerOptions>): Promise<Computer> {
  const env = { REGION: '${input:region}' };
  const server_parameters = { command: process.execPath, args: [fixture, '{"tools":["env"]}'], env };
  const s = { type: 'stdio' as const, default_tool_meta: { auto_apply: true }, server_parameters };
  return Computer.open({ name: 'desk', servers: { s }, inputs: [region, plan], env: {}, ...options });
}

/** The value that the MCP server got. */
async function inserted(computer: Computer): Promise<unknown> {
  return JSON.parse(textOf(await computer.callTool({ tool: 'env' }))).REGION;
}

describe('pickString', () => {
  verifies('pick-string.shape', async () => {
    await using server = await SmcpServer.listen({ port: 0, acceptVersions: ['0.2', '0.3', '0.4'] });
    await using computer = await open({ inputValues: { region: 'eu' } });
    await computer.join(server.url, { office: 'demo', protocolVersion: '0.2.0' });
    for (const [protocolVersion, regions, plans] of [
      ['0.2.0', ['eu', 'us'], ['full', 'free']],
      [
        '0.3.1',
        pairs,
        [
          { label: 'full', value: 'full' },
          { label: 'free', value: 'free' },
        ],
      ],
      ['0.4.0', pairs, expect.anything()],
    ] as const) {
      await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo', protocolVersion });
      const { inputs } = await agent.getConfig('desk');
      expect(inputs).toMatchObject([
        { id: 'region', options: regions },
        { id: 'plan', options: plans, default: 'full' },
      ]);
    }
  });

  verifies('inputs.types', async () => {
    const inputs = [
      { id: 'a', type: 'PromptString', description: 'A' },
      { id: 'b', type: 'PickString', description: 'B', options: pairs },
      { id: 'c', type: 'Command', description: 'C', command: 'date' },
    ];
    const read = [{ type: 'promptString' }, { type: 'pickString', options: pairs }, { type: 'command' }];
    expect(parseComputerConfig({ servers: {}, inputs }).inputs).toMatchObject(read);

    await using server = await SmcpServer.listen({ port: 0 });
    await using agent = await Agent.connect(server.url, { name: 'assistant', office: 'demo' });
    await using rust = await RawPeer.join(server.url, 'computer', 'rust', 'demo');
    rust.reply('client:get_config', () => ({ servers: {}, inputs }));
    expect((await agent.getConfig('rust')).inputs).toMatchObject(read);
  });

  test('options with secrets are masked in both shapes, unless secrets are exposed', async () => {
    const options = [{ label: 'key sk-canary-4711x', value: 'sk-canary-4712x' }];
    const input: MCPServerInput = { ...region, options };
    await using masked = await open({ inputs: [input], inputValues: { region: 'sk-canary-4712x' } });
    expect(JSON.stringify(masked.config)).not.toContain('canary');
    await using exposed = await open({ inputs: [input], exposeSecrets: true });
    expect(exposed.config.inputs).toMatchObject([{ options: ['sk-canary-4712x'] }]);
  });

  verifies('pick-string.value', async () => {
    const store = memoryStore();
    const asked: MCPServerInput[] = [];
    const ask: ComputerOptions['ask'] = async input => {
      asked.push(input);
      return 'us';
    };
    await using computer = await open({ store, ask });
    expect(asked).toEqual([region]);
    expect(await inserted(computer)).toBe('us');
    expect(await computer.storedInput('region')).toBe('us');
  });

  verifies(
    'pick-string.value',
    async () => {
      const store = memoryStore();
      const refused = async (options: Partial<ComputerOptions>) => {
        await using computer = await open({ store, ...options });
        return computer.status()[0]?.error;
      };
      const stored = await open({ store, inputs: [{ ...region, options: ['old', 'eu'] }] });
      await stored.setInput('region', 'old');
      await stored.close();
      expect(await refused({})).toBe(
        'inputs.region: its stored value is none of its options: set another, or clear it',
      );
      expect(await refused({ env: { A2C_SMCP_region: 'old' } })).toBe(
        'inputs.region: A2C_SMCP_region is none of its options',
      );
      expect(await refused({ inputValues: { region: 'Europe' } })).toMatch(
        /its value in the options is none of its options/,
      );
      const fresh = { store: memoryStore() };
      expect(await refused({ ...fresh, ask: async () => 'Europe' })).toBe(
        'inputs.region: the answer is none of its options',
      );
      const inputs = [{ ...region, default: 'moon' }];
      expect(await refused({ ...fresh, inputs })).toBe('inputs.region: its default is none of its options');
    },
    'values that are none of the options',
  );

  test('a server that was refused a stored value starts with a new one, which must be an option', async () => {
    const store = memoryStore();
    const before = await open({ store, inputs: [{ ...region, options: ['old'] }] });
    await before.setInput('region', 'old');
    await before.close();
    await using computer = await open({ store });
    await expect(computer.setInput('region', 'Europe')).rejects.toThrow(
      'inputs.region: the value is none of its options',
    );
    await computer.setInput('region', 'eu');
    await computer.restartServer('s');
    expect(await inserted(computer)).toBe('eu');
  });

  test('an option that is neither a text nor a pair is named by its path', () => {
    const file = (option: unknown) => ({ inputs: [{ ...region, options: ['a', option] }], servers: {} });
    for (const option of [7, { label: 'A' }, { value: 'a' }]) {
      expect(() => parseComputerConfig(file(option))).toThrow(
        'inputs.0.options.1: expected a text or an object with `label` and `value`',
      );
    }
    const misspelled = { label: 'A', value: 'a', vlaue: 'b' };
    expect(() => parseComputerConfig(file(misspelled))).toThrow(
      "inputs.0.options.1.vlaue: unknown field; did you mean 'value'?",
    );
  });
});
