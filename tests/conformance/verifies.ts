import { type RequirementId, requirements } from '@a2c-smcp/conformance/rules';
import { test } from 'vitest';

type TestBody = () => void | Promise<void>;

/**
 * A test of rules in the register. It is named after them, so that a failure quotes the protocol.
 *
 * @param detail what this test looks at, when several tests share a rule
 * @param timeout in milliseconds, for a test that has to wait; without it that of all tests
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  body: TestBody,
  detail = '',
  timeout?: number,
): void {
  const cited = typeof ids === 'string' ? [ids] : ids;
  const rules = cited.map(id => `${id}: ${requirements[id].rule}`);
  test(
    detail === '' ? rules.join(' / ') : `${rules.join(' / ')} (${detail})`,
    timeout === undefined ? {} : { timeout },
    body,
  );
}
