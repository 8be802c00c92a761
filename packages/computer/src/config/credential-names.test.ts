import { expect, test } from 'vitest';
import { isCredentialFlag, isCredentialName } from './credential-names.ts';

test.each(['author', 'authors', '--authority', 'doc-author'])('%s is no name of a credential', name => {
  expect(isCredentialName(name)).toBe(false);
});

test.each(['auth', 'authorization', 'authToken', 'author_token', '--oauth', 'authority-key'])(
  '%s is the name of a credential',
  name => {
    expect(isCredentialName(name)).toBe(true);
  },
);

test('the value of --authority is no credential, that of --authorization is', () => {
  expect([isCredentialFlag('--authority'), isCredentialFlag('--authorization')]).toEqual([false, true]);
});
