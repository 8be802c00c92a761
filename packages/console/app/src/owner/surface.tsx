import { Icon } from '../components/icon.tsx';
import type { Command } from '../components/palette.tsx';
import { go, href } from '../router.ts';
import { strings } from '../strings.ts';
import type { NavGroup, Surface } from '../surface.ts';
import { announceQuestions } from './notifications.ts';
import { Audit } from './screens/audit.tsx';
import { Calls } from './screens/calls.tsx';
import { Config } from './screens/config.tsx';
import { Desktop } from './screens/desktop.tsx';
import { Document } from './screens/document.tsx';
import { Finder } from './screens/finder.tsx';
import { Inputs } from './screens/inputs.tsx';
import { Overview } from './screens/overview.tsx';
import { Pins } from './screens/pins.tsx';
import { Policy } from './screens/policy.tsx';
import { Questions } from './screens/questions.tsx';
import { Servers } from './screens/servers.tsx';
import { SignInDialog } from './screens/sign-in.tsx';
import { Tools } from './screens/tools.tsx';
import { about, attention, pending, questions, servers, topics } from './state.ts';
import { toolCommands } from './tool-commands.ts';

/** The console of a Computer, for its owner. */
export const ownerSurface: Surface = {
  identity,
  nav,
  screen,
  notice,
  overlay: () => <SignInDialog />,
  commands,
  waiting: () => attention.value.length,
  topics,
  start: announceQuestions,
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
      items: [
        { route: 'overview', title: t.overview, icon: 'home' },
        { route: 'questions', title: t.questions, icon: 'bell', count: questions.value.length },
        { route: 'calls', title: t.calls, icon: 'activity', running: pending.value.length },
      ],
    },
    {
      title: t.machine,
      items: [
        { route: 'servers', title: t.servers, icon: 'server' },
        { route: 'tools', title: t.tools, icon: 'tool' },
        { route: 'inputs', title: t.inputs, icon: 'key' },
      ],
    },
    {
      title: t.agentSees,
      items: [
        { route: 'desktop', title: t.desktop, icon: 'desktop' },
        { route: 'finder', title: t.finder, icon: 'folder' },
      ],
    },
    {
      title: t.control,
      items: [
        { route: 'policy', title: t.policy, icon: 'shield' },
        { route: 'pins', title: t.pins, icon: 'pin' },
        { route: 'audit', title: t.audit, icon: 'list' },
        { route: 'config', title: t.config, icon: 'settings' },
      ],
    },
  ];
}

function screen([first = 'overview', second, third]: readonly string[]) {
  switch (first) {
    case 'overview':
      return <Overview />;
    case 'questions':
      return <Questions selected={second} />;
    case 'calls':
      return <Calls selected={second} />;
    case 'servers':
      return <Servers selected={second} />;
    case 'tools':
      return <Tools selected={second} />;
    case 'inputs':
      return <Inputs selected={second} />;
    case 'desktop':
      return <Desktop />;
    case 'finder':
      return second === undefined ? <Finder /> : <Document page={Number(third ?? 0)} uri={second} />;
    case 'policy':
      return <Policy />;
    case 'pins':
      return <Pins />;
    case 'audit':
      return <Audit />;
    case 'config':
      return <Config />;
    default:
      return undefined;
  }
}

/** A question is seen on every screen. */
function notice([first = 'overview']: readonly string[]) {
  const t = strings.value.questions;
  const count = questions.value.length;
  if (count === 0 || first === 'questions' || first === 'overview') return undefined;
  return (
    <a class="banner banner-question" href={href('questions')}>
      <Icon name="bell" size={16} />
      {t.waiting(count)}
      <span class="banner-action">{strings.value.attention.answer}</span>
    </a>
  );
}

function commands(): readonly Command[] {
  const t = strings.value;
  const found = servers.value.map(({ name, state }): Command => {
    const hint = `${t.nav.servers} · ${t.serverState[state]}`;
    return { id: `server:${name}`, title: name, hint, icon: 'server', run: () => go('servers', name) };
  });
  return [...found, ...toolCommands()];
}
