import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DocumentsClient } from '../documents/client.ts';
import { workedMs } from './documents-clock.ts';

/** Milliseconds that the server may work until a sound document is read, with what it does for others meanwhile. */
export const CONTROL_MS = 3000;

/** Reads `control.txt` of a folder, changed each time so that no cache answers, until `work` ends. Returns the most work for one. */
export async function serveControl(server: DocumentsClient, folder: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let most = 0;
  for (let turn = 1; !isDone; turn += 1) {
    const text = `sound ${turn}`;
    writeFileSync(join(folder, 'control.txt'), text);
    const begin = workedMs(server.pid);
    const { elements } = await server.page('dpe://documents/control.txt/pages/0');
    most = Math.max(most, workedMs(server.pid) - begin);
    expect(elements[0]?.content.text).toMatch(/^sound/);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await done;
  return most;
}
