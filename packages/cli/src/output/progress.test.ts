import { expect, test } from 'vitest';
import { callState, progressBar } from './progress.ts';

test.each([
  [0, 10, '░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0.0 of 10.0 MiB'],
  [2.5, 10, '██████░░░░░░░░░░░░░░░░░░  25 %  2.5 of 10.0 MiB'],
  [9.99, 10, '███████████████████████░  99 %  10.0 of 10.0 MiB'],
  [10, 10, '████████████████████████ 100 %  10.0 of 10.0 MiB'],
  [0, 0, '████████████████████████ 100 %  0.0 of 0.0 MiB'],
])('progressBar shows %j of %j MiB', (done, total, expected) => {
  expect(progressBar(done * 1024 * 1024, total * 1024 * 1024)).toBe(expected);
});

test.each([
  [{ progress: 2, total: 5, message: 'linking\nnow' }, '40 %  linking now'],
  [{ progress: 7, total: 5 }, '100 %'],
  [{ progress: 2.34567, message: 'step' }, '2.35  step'],
  [{ progress: 3, total: 0 }, '3'],
])('callState shows %j', (report, expected) => {
  expect(callState(report)).toBe(expected);
});
