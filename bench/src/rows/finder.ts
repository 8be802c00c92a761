import { Office } from '../harness/office.ts';
import { isQuick, unlessQuick } from '../harness/quick.ts';
import { median } from '../harness/statistics.ts';
import type { FinderRequest } from '../processes/finder-agent.ts';
import type { OfficeComputerRequest } from '../processes/office-computer.ts';
import { atMost, timed } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';
import { rounded } from '../report/units.ts';

const SIZES = isQuick ? [100, 200] : [1000, 10_000, 100_000];
/** One document of a hundred has it. */
const keywords = ['topic-42'];

export async function finder(): Promise<Section> {
  const results: Result[] = [];
  const costs: number[] = [];
  for (const size of SIZES) {
    const { lines, cost } = await query(size);
    results.push(...lines);
    costs.push(cost);
  }
  const [smallest = 0, largest = 0] = [SIZES[0], SIZES.at(-1)];
  const growth = (costs.at(-1) ?? Number.NaN) / (costs[0] ?? Number.NaN);
  const allowed = Math.round((largest * Math.log(largest)) / (smallest * Math.log(smallest)));
  return {
    title: 'Finder',
    method:
      'Our Agent, Server and Computer and an MCP server that lists so many documents, of which one in a hundred matches. ' +
      'The first query follows the start of the Computer, later ones wait until it has subscribed to all documents. ' +
      'The growth is that of the CPU that later queries take the Computer, without the way there; its target is n log n.',
    results: [
      ...results,
      {
        name: `growth of the CPU from ${rounded(smallest)} to ${rounded(largest)} documents`,
        ours: `${rounded(growth)} times`,
        value: growth,
        target: atMost(allowed),
      },
    ],
  };
}

async function query(documents: number): Promise<{ lines: Result[]; cost: number }> {
  await using office = await Office.open({ documents });
  const agent = await office.enter('finder-agent');
  const ask = (queries: number) => {
    const request: FinderRequest = { queries, keywords, matches: documents / 100 };
    return agent.ask<number[]>(request);
  };
  const first = await ask(1);
  const settle: OfficeComputerRequest = 'quiet';
  await office.computer.ask(settle);
  const later = await ask(unlessQuick(10, 1));
  const inside: OfficeComputerRequest = { keywords, milliseconds: unlessQuick(3000, 10) };
  const cost = median(await office.computer.ask<number[]>(inside));
  const name = `${rounded(documents)} documents`;
  return { lines: [timed(`${name}, first query`, first), timed(`${name}, later queries`, later)], cost };
}
