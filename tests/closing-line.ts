import type { Reporter, TestModule } from 'vitest/node';

/** Names the tests that were skipped or retried. Ends the run with one line that anybody can read: `N passed, N failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()]);
    const count = (state: string) => tests.filter(test => test.result().state === state).length;
    for (const test of tests) {
      if (test.result().state === 'skipped') process.stdout.write(`skipped: ${test.fullName}\n`);
      if (test.diagnostic()?.retryCount) process.stdout.write(`retried: ${test.fullName}\n`);
    }
    const brokenFiles = modules.filter(module => module.errors().length > 0).length;
    const failed = count('failed') + brokenFiles + unhandledErrors.length;
    process.stdout.write(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`);
  }
}
