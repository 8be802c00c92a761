import { Office } from '../harness/office.ts';
import { unlessQuick } from '../harness/quick.ts';
import type { DesktopRequest } from '../processes/desktop-agent.ts';
import { timed } from '../report/lines.ts';
import type { Result, Section } from '../report/result.ts';

export async function desktop(): Promise<Section> {
  return {
    title: 'Desktop',
    method:
      'Our Agent, Server and Computer and an MCP server with windows of 1 kB. A change is timed from the moment the MCP ' +
      'server makes it until the Agent, which follows the desktop, has the new text; the Computer gathers changes for ' +
      '5 ms. A pull fetches all windows; those that have changed are read from the MCP server.',
    results: [...(await withWindows(1)), ...(await withWindows(100))],
  };
}

async function withWindows(windows: number): Promise<Result[]> {
  await using office = await Office.open({ windows });
  const agent = await office.enter('desktop-agent');
  const ask = (request: DesktopRequest) => agent.ask<number[]>(request);
  const plural = windows === 1 ? '1 window' : `${windows} windows`;
  const change = timed(
    `change of a window of ${windows} until its text is here`,
    await ask({ changes: unlessQuick(20, 1) }),
  );
  if (windows === 1) return [change];
  return [
    change,
    timed(`pull of ${plural}, unchanged`, await ask({ pulls: unlessQuick(50, 1), changed: 0 })),
    timed(`pull of ${plural}, all changed`, await ask({ pulls: unlessQuick(20, 1), changed: windows })),
  ];
}
