import { dirname } from 'node:path';
import { type ComputerStart, playAgent, playComputer, playServer, type Result } from '@a2c-smcp/conformance';
import { type Defect, defects, providerDefect } from '../defects.ts';
import { openKind } from '../peers/open-kind.ts';
import { ours } from '../peers/ours.ts';
import type { Kind } from '../peers/peer.ts';
import type { Release } from '../releases.ts';
import type { Cell } from '../story/scene.ts';

/** The results of the conformance kit for one role of one implementation. */
export interface KitReport {
  /** As in `ours` and `python-0.1.2`. */
  kind: string;
  role: keyof Cell;
  results: Result[];
}

/** A known defect of a release, and whether the kit found it. */
export interface Found {
  defect: Defect;
  kind: string;
  isFound: boolean;
}

const KEY = 'key-of-the-kit';

/** Plays the kit against ours and the releases, one after the other and their roles side by side. */
export async function runKit(releases: readonly Release[], onReport: (report: KitReport) => void): Promise<void> {
  for (const open of [async () => ours(), ...releases.map(release => () => openKind(release))]) {
    const kind = await open();
    try {
      const [server, computer, agent] = await Promise.all([
        serverResults(kind),
        computerResults(kind),
        agentResults(kind),
      ]);
      onReport({ kind: kind.id, role: 'server', results: server });
      onReport({ kind: kind.id, role: 'computer', results: computer });
      onReport({ kind: kind.id, role: 'agent', results: agent });
    } finally {
      await kind.close();
    }
  }
}

/** The defects of the releases that were played. */
export function findDefects(reports: readonly KitReport[]): Found[] {
  return [...defects, providerDefect].flatMap(defect =>
    reports
      .filter(({ kind, role }) => role === defect.role && defect.kinds.includes(kind))
      .map(({ kind, results }) => {
        const result = results.find(({ rule }) => rule === defect.rule);
        return { defect, kind, isFound: result?.outcome === 'fail' };
      }),
  );
}

async function serverResults(kind: Kind): Promise<Result[]> {
  await using server = await kind.serve({ key: KEY });
  const results = await playServer(server.url, { key: KEY });
  const { kinds, rule } = providerDefect;
  if (!kinds.includes(kind.id)) return results;
  await using other = await kind.serve({ key: KEY, ownProvider: true });
  const [result] = await playServer(other.url, { key: KEY, only: [rule] });
  return results.map(each => (each.rule === rule && result ? result : each));
}

function computerResults(kind: Kind): Promise<Result[]> {
  return playComputer(async ({ url, key, name, office, fixture }: ComputerStart) => {
    const { servers, inputs, skills } = fixture;
    const computer = await kind.openComputer({ url, key, name, servers, inputs, skillHome: dirname(skills) });
    await computer.join(office);
    return computer;
  });
}

function agentResults(kind: Kind): Promise<Result[]> {
  return playAgent(start => kind.connectAgent(start));
}
