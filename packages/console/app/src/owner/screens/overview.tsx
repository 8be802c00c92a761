import type { ServerRow } from '../../../../src/owner/types.ts';
import { Card, Empty, Loading, Screen } from '../../components/basics.tsx';
import { bytes, number } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { about, ended, isLoaded, pending, servers } from '../state.ts';
import { AttentionList } from './attention.tsx';
import { CallTable } from './call-table.tsx';
import { ServerState } from './server-state.tsx';

const SHOWN_CALLS = 12;

/** Pending decisions of the owner, running servers, and recent events. */
export function Overview() {
  const t = strings.value;
  const { office } = about.value;
  return (
    <Screen lead={office === undefined ? t.overview.leadOutside : t.overview.lead(office)} title={t.nav.overview}>
      {isLoaded.value ? (
        <>
          <AttentionList />
          <Tiles />
          <div class="columns">
            <LatestCalls />
            <Servers />
          </div>
        </>
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

function Tiles() {
  const t = strings.value.overview;
  const all = servers.value;
  const ready = all.filter(({ state }) => state === 'ready').length;
  const tools = all.reduce((sum, { offered }) => sum + offered, 0);
  const memory = all.reduce((sum, { memory = 0 }) => sum + memory, 0);
  return (
    <div class="tiles">
      <Tile label={t.servers} route="servers" value={`${ready}/${all.length}`} />
      <Tile label={t.tools} route="tools" value={number(tools)} />
      <Tile label={t.running} route="calls" value={number(pending.value.length)} />
      <Tile label={t.memory} route="servers" value={memory === 0 ? '–' : bytes(memory)} />
    </div>
  );
}

function Tile({ label, value, route }: { label: string; value: string; route: string }) {
  return (
    <a class="card tile" href={href(route)}>
      <span class="tile-value number">{value}</span>
      <span class="muted">{label}</span>
    </a>
  );
}

function LatestCalls() {
  const t = strings.value.overview;
  const calls = [...pending.value.toReversed(), ...ended.value].slice(0, SHOWN_CALLS);
  return (
    <Card actions={<a href={href('calls')}>{t.showAll}</a>} title={t.recent}>
      {calls.length === 0 ? (
        <Empty icon="activity" title={t.recentNone}>
          <p>{t.recentNoneText}</p>
        </Empty>
      ) : (
        <div class="inset">
          <CallTable calls={calls} isBrief label={t.recent} />
        </div>
      )}
    </Card>
  );
}

function Servers() {
  const t = strings.value;
  return (
    <Card actions={<a href={href('servers')}>{t.overview.showAll}</a>} title={t.nav.servers}>
      <ul class="lines">
        {servers.value.map(server => (
          <ServerLine key={server.name} server={server} />
        ))}
      </ul>
    </Card>
  );
}

function ServerLine({ server }: { server: ServerRow }) {
  const { name, memory, offered } = server;
  return (
    <li>
      <a class="line" href={href('servers', name)}>
        <span class="grow truncate">{name}</span>
        <span class="muted small number">
          {strings.value.servers.toolCount(offered)}
          {memory === undefined ? '' : ` · ${bytes(memory)}`}
        </span>
        <ServerState {...server} />
      </a>
    </li>
  );
}
