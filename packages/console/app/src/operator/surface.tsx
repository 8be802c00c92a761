import type { Command } from '../components/palette.tsx';
import { go } from '../router.ts';
import { strings } from '../strings.ts';
import type { NavGroup, Surface } from '../surface.ts';
import { Calls } from './screens/calls.tsx';
import { Moves } from './screens/moves.tsx';
import { Nodes } from './screens/nodes.tsx';
import { Offices } from './screens/offices.tsx';
import { OverviewScreen } from './screens/overview.tsx';
import { Refusals } from './screens/refusals.tsx';
import { calls, moves, overview, topics } from './state.ts';
import '../styles/operator.css';

/** The console of a Server, for its operators. */
export const operatorSurface: Surface = { identity, nav, screen, commands, waiting: () => 0, topics };

function identity(): ReturnType<Surface['identity']> {
  const t = strings.value.operator.identity;
  const { host: name } = location;
  const now = overview.value;
  if (now?.status === 'closing') return { name, line: t.closing, tone: 'warn' };
  const count = now?.nodes.length ?? 1;
  return { name, line: count > 1 ? t.nodes(count) : t.server, tone: 'ok' };
}

function nav(): readonly NavGroup[] {
  const t = strings.value.operator.nav;
  return [
    {
      items: [
        { route: 'overview', title: strings.value.nav.overview, icon: 'home' },
        { route: 'offices', title: t.offices, icon: 'users' },
        { route: 'calls', title: strings.value.nav.calls, icon: 'activity' },
        { route: 'moves', title: t.moves, icon: 'list' },
      ],
    },
    {
      title: t.server,
      items: [
        { route: 'refusals', title: t.refusals, icon: 'shield' },
        { route: 'nodes', title: t.nodes, icon: 'server' },
      ],
    },
  ];
}

function screen([first = 'overview', second]: readonly string[]) {
  switch (first) {
    case 'overview':
      return <OverviewScreen />;
    case 'offices':
      return <Offices selected={second} />;
    case 'calls':
      return <Calls />;
    case 'moves':
      return <Moves />;
    case 'refusals':
      return <Refusals />;
    case 'nodes':
      return <Nodes />;
    default:
      return undefined;
  }
}

/** The offices that something happened in. */
function commands(): readonly Command[] {
  const names = [...moves.value, ...calls.value].map(({ office }) => office).filter(office => office !== '');
  return [...new Set(names)].map(office => ({
    id: `office:${office}`,
    title: office,
    hint: strings.value.operator.nav.offices,
    icon: 'users',
    run: () => go('offices', office),
  }));
}
