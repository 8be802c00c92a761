// What a VRL script costs: `npm run bench:vrl`. Wall-clock time, the best of five rounds of a second each.
import { Vrl } from '@a2c-smcp/vrl';

const started = performance.now();
const program = await Vrl.compile('.total = to_int!(.a) + to_int!(.b)');
program.run({ a: 1, b: 2 });
const loaded = performance.now() - started;
process.stdout.write(`engine loaded, script compiled and run for the first time: ${Math.round(loaded)} ms\n`);

const toolResult = { content: [{ type: 'text', text: 'hi' }], tool_name: 'echo', parameters: { text: 'hi' } };
const rows = [
  ['simple script, values', () => program.run({ a: 1, b: 2 })],
  ['simple script, JSON text', () => program.runJson('{"a":1,"b":2}')],
  ['a tool result, as in the Computer', await onToolResult()],
];
for (const [name, run] of rows) process.stdout.write(`${name}: ${Math.round(eventsPerSecond(run))} events/s\n`);

async function onToolResult() {
  const script = await Vrl.compile('if .tool_name == "echo" { .text = upcase(string!(.content[0].text)) }');
  return () => script.runJson(JSON.stringify(toolResult));
}

function eventsPerSecond(run) {
  const rounds = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    let events = 0;
    while (performance.now() - begin < 1000) {
      for (let n = 0; n < 100; n++) run();
      events += 100;
    }
    return (events / (performance.now() - begin)) * 1000;
  });
  return Math.max(...rounds);
}
