import { completeServerConfig } from '@a2c-smcp/protocol';
import { expect, test } from 'vitest';
import { bundleId } from './bundle-id.ts';

test.each([
  ['files', 'files'],
  ['My Files (work)', 'My_Files_work'],
  ['a__b', 'a_b'],
  ['-x.y-', 'x_y'],
  ['文件', 'bundle_e69687e4bbb6'],
])('the server %j is known as %s', (name, id) => {
  const config = completeServerConfig({ name, type: 'stdio', server_parameters: { command: 'x' } });
  expect(bundleId(config)).toBe(id);
  expect(bundleId({ ...config, bundle_id: 'chosen' })).toBe('chosen');
});
