import { expect, test } from 'vitest';
import { notFound } from './errors.ts';

const computers = (count: number, prefix = 'c') =>
  Array.from({ length: count }, (_, at) => ({ role: 'computer' as const, name: `${prefix}${at}` }));

test('an unknown Computer is answered with those of the office, at most ten, and no Agent', () => {
  const agent = { role: 'agent' as const, name: 'secretary' };
  expect(notFound('x', [agent]).message).toBe("No computer 'x' in this office: it has none at the moment");
  expect(notFound('x', [agent, ...computers(2).toReversed()]).message).toMatch(/: it has 'c0', 'c1'$/);
  const { message } = notFound('x', computers(1000, 'n'.repeat(250)));
  expect(message).toMatch(/ and 990 more$/);
  expect(message.length).toBeLessThan(1200);
  expect(notFound('x')).toMatchObject({ code: 404, message: "No computer 'x' in this office" });
});
