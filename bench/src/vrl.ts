import { Vrl } from '@a2c-smcp/vrl';
import { unlessQuick } from './harness/quick.ts';
import { quantile } from './harness/statistics.ts';
import { rounded } from './report/units.ts';

// Measures a VRL script: `npm run bench:vrl`. Wall-clock time, the best of five rounds of a second each.

const ROUND_MS = unlessQuick(1000, 10);

const started = performance.now();
const sum = await Vrl.compile('.total = to_int!(.a) + to_int!(.b)');
sum.run({ a: 1, b: 2 });
const loaded = performance.now() - started;
process.stdout.write(`engine loaded, script compiled and run for the first time: ${Math.round(loaded)} ms\n`);

const shout = await Vrl.compile('if .tool_name == "echo" { .text = upcase(string!(.content[0].text)) }');
const toolResult = { content: [{ type: 'text', text: 'hi' }], tool_name: 'echo', parameters: { text: 'hi' } };
const rows: Record<string, () => unknown> = {
  'simple script, values': () => sum.run({ a: 1, b: 2 }),
  'simple script, JSON text': () => sum.runJson('{"a":1,"b":2}'),
  'a tool result, as in the Computer': () => shout.runJson(JSON.stringify(toolResult)),
};
for (const [name, run] of Object.entries(rows)) {
  process.stdout.write(`${name}: ${rounded(eventsPerSecond(run))} events/s\n`);
}

function eventsPerSecond(run: () => unknown): number {
  const rates = Array.from({ length: unlessQuick(5, 1) }, () => {
    const begin = performance.now();
    let events = 0;
    while (performance.now() - begin < ROUND_MS) {
      for (let n = 0; n < 100; n++) run();
      events += 100;
    }
    return (events / (performance.now() - begin)) * 1000;
  });
  return quantile(rates, 1);
}
