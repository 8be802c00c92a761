import { interopFolder } from '../paths.ts';
import type { Release } from '../releases.ts';
import { official, type Role } from './official.ts';
import type { Kind } from './peer.ts';
import { PeerProcess } from './peer-process.ts';
import type { Environment } from './python-environment.ts';

/** A release of the official Python package, each role in a process of its own. */
export function python(release: Release, { python, home }: Environment): Kind {
  const processes = new Map<Role, PeerProcess>();
  const env = { A2C_SMCP_LOG_LEVEL: 'WARNING', PYTHONUNBUFFERED: '1' };
  const start = (role: Role) =>
    new PeerProcess({ command: python, args: [`${interopFolder}/python/${role}.py`], home, env });
  return official(release, {
    home,
    take: role => {
      const started = processes.get(role) ?? start(role);
      processes.set(role, started);
      return started;
    },
    // The next peer of the role will need it.
    release: async () => {},
    close: async () => void (await Promise.all([...processes.values()].map(running => running.close()))),
  });
}
