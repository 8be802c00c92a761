import { Badge, Card, Empty, Loading, Screen } from '../../components/basics.tsx';
import { bytes, duration, number, time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { CallPlots } from '../plots.tsx';
import { calls, moves, overview, refusals } from '../state.ts';
import { CallTable } from './call-table.tsx';

const SHOWN_CALLS = 10;
const SHOWN_NEWS = 12;

/** How much is going on, how fast, and what happened last. */
export function OverviewScreen() {
  const t = strings.value.operator;
  const now = overview.value;
  if (!now) return <Loading />;
  return (
    <Screen lead={t.overview.lead(duration(now.uptime * 1000))} title={strings.value.nav.overview}>
      <div class="tiles">
        <Tile label={t.overview.connections} route="offices" value={number(now.connections)} />
        <Tile label={t.overview.offices} route="offices" value={number(now.offices)} />
        <Tile label={t.overview.members} route="offices" value={number(now.members)} />
        <Tile label={t.overview.inFlight} route="calls" value={number(now.inFlight)} />
        <Tile label={t.overview.received} route="nodes" value={bytes(now.received)} />
        <Tile label={t.overview.sent} route="nodes" value={bytes(now.sent)} />
      </div>
      <CallPlots />
      <div class="columns">
        <Card actions={<a href={href('calls')}>{strings.value.overview.showAll}</a>} title={t.calls.latest}>
          {calls.value.length === 0 ? (
            <Empty icon="activity" title={t.calls.none}>
              <p>{t.calls.noneText}</p>
            </Empty>
          ) : (
            <div class="inset">
              <CallTable isBrief label={t.calls.latest} rows={calls.value.slice(0, SHOWN_CALLS)} />
            </div>
          )}
        </Card>
        <News />
      </div>
    </Screen>
  );
}

function Tile({ label, value, route }: { label: string; value: string; route: string }) {
  return (
    <a class="card tile" href={href(route)}>
      <span class="tile-value number truncate">{value}</span>
      <span class="muted">{label}</span>
    </a>
  );
}

/** Joins, leaves and refusals, newest first. */
function News() {
  const t = strings.value.operator;
  const moved = moves.value.slice(0, SHOWN_NEWS).map(({ id, at, type, role, name, office }) => ({
    ...{ id, at, tone: type === 'enter' ? ('ok' as const) : ('plain' as const), badge: t.moves.types[type] },
    ...{ text: t.moves.line(t.roles[role], name, office), route: ['offices', office] },
  }));
  const refused = refusals.value.slice(0, SHOWN_NEWS).map(({ id, at, reason, count, address, message }) => ({
    ...{ id, at, tone: 'warn' as const, badge: t.refusals.refused(count) },
    ...{ text: [message ?? reasonText(reason), address].filter(Boolean).join(' · '), route: ['refusals'] },
  }));
  const news = [...moved, ...refused].sort((a, b) => b.at - a.at || b.id - a.id).slice(0, SHOWN_NEWS);
  return (
    <Card actions={<a href={href('moves')}>{strings.value.overview.showAll}</a>} title={t.overview.news}>
      {news.length === 0 ? (
        <Empty icon="users" title={t.moves.none} />
      ) : (
        <ul class="lines">
          {news.map(({ id, at, tone, badge, text, route }) => (
            <li key={id}>
              <a class="line" href={href(...route)}>
                <span class="muted small number">{time(at)}</span>
                <span class="grow truncate" title={text}>
                  {text}
                </span>
                <Badge tone={tone}>{badge}</Badge>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The meaning of a reason for a refusal. Later versions may have others. */
export function reasonText(reason: string): string {
  const texts: Record<string, string> = strings.value.operator.refusals.reasons;
  return texts[reason] ?? reason;
}
