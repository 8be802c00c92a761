import { silentLogger } from '@a2c-smcp/core';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, openOffice, scripted, stateOf, textOf } from './office.ts';

const withScript = (vrl: string | null) => ({ scripted: scripted({}, { vrl }) });

describe('the vrl script of a server', () => {
  verifies('vrl.result', async () => {
    const vrl = `
      .summary = string!(.tool_name) + ": " + string!(.content[0].text)
      .asked = .parameters.text
      if .tool_name == "echo" { .kind = "echo" } else { .kind = "other" }
    `;
    await using office = await openOffice({ servers: withScript(vrl) });
    const result = await office.callTool('echo', { text: 'hi', nested: { a: [1, 2] } });
    expect(JSON.parse(textOf(result))).toEqual({ text: 'hi', nested: { a: [1, 2] } });
    const { a2c_vrl_transformed } = result.meta ?? {};
    expect(a2c_vrl_transformed).toBeTypeOf('string');
    expect(JSON.parse(String(a2c_vrl_transformed))).toMatchObject({
      content: [{ type: 'text', text: textOf(result) }],
      tool_name: 'echo',
      parameters: { text: 'hi', nested: { a: [1, 2] } },
      summary: `echo: ${textOf(result)}`,
      asked: 'hi',
      kind: 'echo',
    });
  });

  verifies('vrl.errors', async () => {
    const warn = vi.fn();
    const broken = scripted({}, { name: 'broken', vrl: '.a = ' });
    const failing = scripted({}, { name: 'failing', vrl: '.n = to_int!(.content[0].text)' });
    const servers = { broken, failing };
    await using office = await openOffice({ servers, logger: { ...silentLogger, warn } });
    expect(stateOf(office.computer, 'broken')).toBe('failed');
    const status = office.computer.status().find(({ name }) => name === 'broken');
    expect(status?.error).toMatch(/^servers\.broken\.vrl: (?!servers).*\(line 1, column \d+\)$/s);
    expect(status?.error?.match(/line 1/g)).toHaveLength(1);
    const result = await office.callTool('echo', { text: 'no number' });
    expect(JSON.parse(textOf(result))).toEqual({ text: 'no number' });
    expect(result.meta).not.toHaveProperty('a2c_vrl_transformed');
    expect(warn).toHaveBeenCalledWith('A result could not be transformed', expect.anything());
  });

  test.each([null, '', '  \n '])('%j means no vrl script', async vrl => {
    await using office = await openOffice({ servers: withScript(vrl) });
    const result = await office.callTool('echo', { text: 'hi' });
    expect(result.meta ?? {}).not.toHaveProperty('a2c_vrl_transformed');
  });

  test('a vrl script is replaced when the configuration changes', async () => {
    await using office = await openOffice({ servers: withScript('.version = 1') });
    const version = async () => {
      const { meta } = await office.callTool('echo', { text: 'hi' });
      return JSON.parse(String(meta?.a2c_vrl_transformed)).version;
    };
    expect(await version()).toBe(1);
    await office.computer.addServer(scripted({}, { name: 'scripted', vrl: '.version = 2' }));
    await eventually(async () => expect(await version()).toBe(2));
  });
});
