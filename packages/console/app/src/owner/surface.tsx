import type { Command } from '../components/palette.tsx';
import { go } from '../router.ts';
import { strings } from '../strings.ts';
import type { NavGroup, Surface } from '../surface.ts';
import { Overview } from './screens/overview.tsx';
import { about, attention, servers, topics } from './state.ts';

/** The console of a Computer, for its owner. */
export const ownerSurface: Surface = {
  identity,
  nav,
  screen,
  commands,
  waiting: () => attention.value.length,
  topics,
};

function identity(): ReturnType<Surface['identity']> {
  const t = strings.value.connection;
  const { name, office, connection } = about.value;
  if (connection === 'joined') return { name, line: t.joined(office ?? ''), tone: 'ok' };
  if (connection === 'lost') return { name, line: t.lost, tone: 'warn' };
  return { name, line: t.outside, tone: 'plain' };
}

function nav(): readonly NavGroup[] {
  const t = strings.value.nav;
  return [
    {
      items: [{ route: 'overview', title: t.overview, icon: 'home' }],
    },
  ];
}

function screen([first = 'overview']: readonly string[]) {
  switch (first) {
    case 'overview':
      return <Overview />;
    default:
      return undefined;
  }
}

function commands(): readonly Command[] {
  const t = strings.value;
  return servers.value.map(({ name, state }) => ({
    id: `server:${name}`,
    title: name,
    hint: `${t.nav.servers} · ${t.serverState[state]}`,
    icon: 'server',
    run: () => go('servers', name),
  }));
}
