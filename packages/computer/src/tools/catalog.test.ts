import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { describe, expect, test } from 'vitest';
import { type IdentifiedConfig, identify } from '../config/bundle-id.ts';
import { buildCatalog } from './catalog.ts';

function config(name: string, given: Partial<MCPServerConfig> = {}): IdentifiedConfig {
  return identify({
    name,
    ...given,
    type: 'stdio',
    server_parameters: { command: 'x' },
  } as MCPServerConfig);
}

const named = (...names: string[]) => names.map(name => ({ name }));

describe('names', () => {
  test('tools come in the order of the servers and of each server', () => {
    const { tools } = buildCatalog([
      { config: config('b'), tools: named('z', 'a') },
      { config: config('a'), tools: named('m') },
    ]);
    expect(tools.plain.map(({ name }) => name)).toEqual(['z', 'a', 'm']);
  });

  test('every name leads to exactly one tool, however names collide', () => {
    const long = 'l'.repeat(70);
    const { tools, routes, diagnostics } = buildCatalog([
      { config: config('a'), tools: named('t', 't', 'a__t', long) },
      { config: config('b'), tools: named('t', long) },
      { config: config('c', { tool_meta: { u: { alias: 't' } } }), tools: named('u') },
    ]);
    const names = tools.plain.map(({ name }) => name);
    expect(names).toEqual(['t', 'a__t', 'a__a__t', long, 'b__t', `b__${long}`.slice(0, 64), 'c__u']);
    expect(new Set(names).size).toBe(names.length);
    expect(routes.plain.get('c__u')).toMatchObject({ server: 'c', tool: 'u' });
    expect(diagnostics.map(({ fields }) => fields)).toEqual([
      { mcp_server: 'a', first: 'a', tools: 't as a__t, a__t as a__a__t' },
      { mcp_server: 'b', first: 'a', tools: `t as b__t, ${long} as ${`b__${long}`.slice(0, 64)}` },
      { mcp_server: 'c', first: 'a', tools: 't as c__u' },
    ]);
  });

  test('that were made unique collide no more either', () => {
    const { tools } = buildCatalog([
      { config: config('a.b'), tools: named('t', 't', 't') },
      { config: config('a_b'), tools: named('t') },
    ]);
    expect(tools.plain.map(({ name }) => name)).toEqual(['t', 'a_b__t', 'a_b__t_2', 'a_b__t_3']);
  });

  test('names of both dialects lead to each tool, and the dialect decides where one name means two tools', () => {
    const { tools, routes } = buildCatalog([
      { config: config('a b', { tool_meta: { u: { alias: 'v' } } }), tools: named('t', 'u') },
      { config: config('b'), tools: named('t', 'a_b__t') },
    ]);
    expect(tools.plain.map(({ name }) => name)).toEqual(['t', 'v', 'b__t', 'a_b__t']);
    expect(tools.bundled.map(({ name }) => name)).toEqual(['a_b__t', 'a_b__v', 'b__t', 'b__a_b__t']);
    const servers = (dialect: 'plain' | 'bundled', ...names: string[]) =>
      names.map(name => routes[dialect].get(name)?.server);
    expect(servers('plain', 't', 'v', 'b__t', 'a_b__v')).toEqual(['a b', 'a b', 'b', 'a b']);
    expect(servers('bundled', 't', 'v', 'b__t', 'a_b__v')).toEqual(['a b', 'a b', 'b', 'a b']);
    expect(servers('plain', 'a_b__t')).toEqual(['b']);
    expect(servers('bundled', 'a_b__t')).toEqual(['a b']);
    expect(servers('bundled', 'a_b__u', 'u')).toEqual([undefined, undefined]);
  });

  test('names with a bundle_id are unique and not cut', () => {
    const long = 'l'.repeat(70);
    const { tools } = buildCatalog([
      { config: config('a', { tool_meta: { u: { alias: 't' } } }), tools: named('t', 't', 'u', '_x', long) },
      { config: config('c', { bundle_id: 'a_' }), tools: named('x') },
    ]);
    const names = tools.bundled.map(({ name }) => name);
    expect(names).toEqual(['a__t', 'a__t_2', 'a__u', 'a___x', `a__${long}`, 'a___x_2']);
  });

  test('tools may have the names of properties that every object has', () => {
    const { tools, routes } = buildCatalog([{ config: config('a'), tools: named('constructor', '__proto__') }]);
    expect(tools.plain.map(({ meta }) => meta)).toEqual([{}, {}]);
    expect(routes.plain.get('constructor')).toMatchObject({ server: 'a', tool: 'constructor' });
  });
});

describe('blocked tools', () => {
  test('tools that are forbidden by name or alias, and all of a disabled server, are blocked', () => {
    const { tools, blocked } = buildCatalog([
      {
        config: config('a', { forbidden_tools: ['x', 'why'], tool_meta: { y: { alias: 'why' } } }),
        tools: named('x', 'y', 'z'),
      },
      { config: config('b', { disabled: true }), tools: named('z', 'w') },
    ]);
    expect(tools.plain.map(({ name }) => name)).toEqual(['z']);
    expect(Object.fromEntries(blocked)).toEqual({
      ...{ x: 'a', why: 'a', y: 'a', z: 'b', w: 'b' },
      ...{ a__x: 'a', a__why: 'a', a__y: 'a', b__z: 'b', b__w: 'b' },
    });
  });
});
