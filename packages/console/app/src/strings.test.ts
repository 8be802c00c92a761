import { describe, expect, test } from 'vitest';
import { en } from './strings/en.ts';
import { zhCN } from './strings/zh-CN.ts';

describe('the texts of the console', () => {
  test('are there in Chinese as in English, and take the same arguments', () => {
    expect(shapeOf(zhCN)).toEqual(shapeOf(en));
  });

  test('are translated, and never empty', () => {
    const [english, chinese] = [textsOf(en), textsOf(zhCN)];
    expect(Object.entries(chinese).filter(([, text]) => text === '')).toEqual([]);
    const same = Object.keys(english).filter(key => english[key] === chinese[key]);
    // Names, symbols and words that both languages share.
    const shared = /^(A2C|a2c .*|Agent|Computer|Server|Desktop|Finder|JSON|MCP|console|Ctrl K|stderr|Token|–|[\W\d]*)$/;
    expect(same.filter(key => !shared.test(english[key] ?? ''))).toEqual([]);
  });
});

/** The keys, with the number of arguments of functions. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'function') return value.length === 0 ? 'a function' : 'a function of arguments';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

/** Every text by its path. */
function textsOf(value: unknown, path = ''): Record<string, string> {
  if (typeof value === 'string') return { [path]: value };
  if (typeof value !== 'object' || value === null) return {};
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => textsOf(inner, `${path}.${key}`)));
}
