import type { ComputerOptions } from '@a2c-smcp/computer';
import type { PolicyRule } from '@a2c-smcp/protocol';
import { scriptedServer, testOffice } from '@a2c-smcp/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './office.ts';

const tools = [
  { name: 'echo', annotations: { readOnlyHint: true } },
  { name: 'slow', annotations: { destructiveHint: false } },
  { name: 'fail' },
];
const servers = {
  s: scriptedServer(
    { tools },
    { default_tool_meta: { auto_apply: null }, tool_meta: { echo: { tags: ['safe'], alias: 'say' } } },
  ),
};

async function openWith(policy: PolicyRule[], options: Partial<ComputerOptions> = {}) {
  const asked: string[] = [];
  const confirm: ComputerOptions['confirm'] = ({ tool }) => {
    asked.push(tool);
    return true;
  };
  const office = await testOffice({ desk: {} }, { computer: { servers, policy, confirm, ...options } });
  return {
    asked,
    desk: office.computers.desk,
    call: (tool: string, params: Record<string, unknown> = {}) =>
      office.agent.callTool({ computer: 'desk', tool, params }),
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  };
}

describe('the policy of the owner', () => {
  test.each<[string, PolicyRule, boolean]>([
    ['server', { decision: 'allow', server: 's' }, true],
    ['another server', { decision: 'allow', server: 't' }, false],
    ['a pattern of the tool', { decision: 'allow', tool: 's?y' }, true],
    ['the original name', { decision: 'allow', tool: 'ec*' }, true],
    ['a tag', { decision: 'allow', tag: 'safe' }, true],
    ['another tag', { decision: 'allow', tag: 'unsafe' }, false],
    ['an annotation', { decision: 'allow', annotations: { readOnlyHint: true } }, true],
    ['a read-only tool is not destructive', { decision: 'allow', annotations: { destructiveHint: false } }, true],
    ['the Agent', { decision: 'allow', agent: 'agent' }, true],
    ['another Agent', { decision: 'allow', agent: 'stranger' }, false],
    ['the office', { decision: 'allow', office: 'te*' }, true],
    ['parameters', { decision: 'allow', when: 'starts_with(string!(.params.text), "h")' }, true],
    ['other parameters', { decision: 'allow', when: '.params.text == "other"' }, false],
    ['a dot is no wildcard', { decision: 'allow', tool: 's.y' }, false],
  ])('a rule matches by %s', async (_, rule, matches) => {
    await using office = await openWith([rule]);
    expect(await office.call('say', { text: 'hi' })).not.toHaveProperty('isError');
    expect(office.asked).toEqual(matches ? [] : ['say']);
  });

  test('a tool without hints counts as one that writes, destroys and reaches outside', async () => {
    await using office = await openWith([{ decision: 'deny', annotations: { destructiveHint: true } }]);
    expect(await office.call('fail')).toMatchObject({ meta: { error_code: 4005 } });
    expect(await office.call('slow', { ms: 1 })).not.toHaveProperty('isError');
  });

  test('deny wins over everything, and says why', async () => {
    const policy: PolicyRule[] = [{ decision: 'allow' }, { decision: 'deny', tool: 'say', reason: 'never speak' }];
    await using office = await openWith(policy, {
      servers: { s: scriptedServer({ tools: ['say'] }, { default_tool_meta: { auto_apply: true } }) },
    });
    const result = await office.call('say');
    expect(textOf(result)).toBe("Tool 'say' is denied by the owner of this computer: never speak");
    expect(office.asked).toEqual([]);
  });

  test('a rule that cannot be evaluated denies, and says so', async () => {
    await using office = await openWith([{ decision: 'allow', when: '.params.text == "x" && assert!(false)' }]);
    expect(textOf(await office.call('say', { text: 'x' }))).toContain(
      'rule 1 cannot be evaluated and therefore denies',
    );
    await using other = await openWith([{ decision: 'allow', when: '"yes"' }]);
    expect(textOf(await other.call('say'))).toContain('cannot be evaluated');
  });

  test('an expression that cannot be compiled is an error of the configuration', async () => {
    const message = /policy\.1\.when/;
    await expect(openWith([{ decision: 'ask' }, { decision: 'allow', when: '.params ==' }])).rejects.toThrow(message);
  });

  test('a rule that asks beats auto_apply, and a yes counts for its minutes', async () => {
    await using office = await openWith([{ decision: 'ask', minutes: 5, reason: 'often used' }], {
      servers: { s: scriptedServer({ tools: ['echo'] }) },
    });
    await office.call('echo');
    await office.call('echo');
    expect(office.asked).toEqual(['echo']);
  });

  test('without rules auto_apply decides, and rules hold for calls from this machine too', async () => {
    await using office = await openWith([], { servers: { s: scriptedServer({ tools: ['echo'] }) } });
    await office.call('echo');
    expect(office.asked).toEqual([]);
    await using strict = await openWith([{ decision: 'deny' }]);
    expect(await strict.desk.callTool({ tool: 'say' })).toMatchObject({ meta: { error_code: 4005 } });
  });
});
