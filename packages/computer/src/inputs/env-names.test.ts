import { expect, test } from 'vitest';
import { inputEnvNames, sharedEnvNames } from './env-names.ts';

test('names go from the most specific to the general, each in its own case and then in upper case', () => {
  expect(inputEnvNames('api-key', { server: 'My.Server', tool: 'do it' })).toEqual([
    'A2C_SMCP_api_key_My_Server_do_it',
    'A2C_SMCP_API-KEY_MY.SERVER_DO IT',
    'A2C_SMCP_api_key_My_Server',
    'A2C_SMCP_API-KEY_MY.SERVER',
    'A2C_SMCP_api_key',
    'A2C_SMCP_API-KEY',
  ]);
  expect(inputEnvNames('TOKEN')).toEqual(['A2C_SMCP_TOKEN']);
});

test('inputs whose ids differ in other characters or in case only share a variable', () => {
  expect(sharedEnvNames(['api-key', 'api_key', 'other'])).toEqual([
    { variable: 'A2C_SMCP_api_key', ids: ['api-key', 'api_key'] },
  ]);
  expect(sharedEnvNames(['token', 'TOKEN'])).toEqual([{ variable: 'A2C_SMCP_TOKEN', ids: ['token', 'TOKEN'] }]);
  expect(sharedEnvNames(['a', 'b'])).toEqual([]);
});
