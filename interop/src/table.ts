import type { CellReport, StepReport } from './run-cell.ts';

/** One line for a cell, and one for each of its steps that did not pass. */
export function formatCell({ agent, server, computer, outcome, seconds, steps }: CellReport): string {
  const roles = [`agent ${agent}`, `server ${server}`, `computer ${computer}`].map(role => role.padEnd(22));
  const head = `${outcome.padEnd(7)}${roles.join('')}${count(steps)} in ${seconds} s`;
  const notes = steps.filter(({ outcome }) => outcome === 'fail' || outcome === 'defect');
  return [head, ...notes.map(({ step, outcome, reason }) => `       ${outcome}: ${step}: ${reason}`)].join('\n');
}

/** How many cells ended how. */
export function formatSummary(reports: readonly CellReport[]): string {
  const of = (wanted: CellReport['outcome']) => reports.filter(({ outcome }) => outcome === wanted).length;
  return `${reports.length} cells: ${of('pass')} pass, ${of('defect')} but for defects of the peer, ${of('fail')} fail`;
}

function count(steps: readonly StepReport[]): string {
  const passed = steps.filter(({ outcome }) => outcome === 'pass').length;
  const applicable = steps.filter(({ outcome }) => outcome !== 'n/a').length;
  return `${passed} of ${applicable} steps`;
}
