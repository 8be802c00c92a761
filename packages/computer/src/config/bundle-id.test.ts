import type { MCPServerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { identify } from './bundle-id.ts';

const stdio = (name: string, given: object = {}) =>
  ({ name, type: 'stdio', server_parameters: { command: 'x', ...given } }) as MCPServerConfig;

test('a bundle_id that is given is kept, and null counts as absent', () => {
  expect(identify({ ...stdio('My Files'), bundle_id: 'chosen' }).bundle_id).toBe('chosen');
  expect(identify({ ...stdio('My Files'), bundle_id: null }).bundle_id).toBe('My_Files');
});

test('variables of the fallback id count in the order of code points, not of UTF-16 units', () => {
  const [later, earlier] = ['\u{1F600}', '\uFF21'];
  expect(later < earlier).toBe(true);
  const id = (env: object) => identify(stdio('文件', { env })).bundle_id;
  expect(id({ [later]: '1', [earlier]: '2' })).toBe(id({ [earlier]: '2', [later]: '1' }));
  expect(id({ [later]: '1', [earlier]: '2' })).toBe('bundle_8e0f93f3bd21ccd9');
});
