import type { RefusalRecord } from '@a2c-smcp/server';
import { Badge, Card, Empty, Loading, Screen } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { number, time } from '../../format.ts';
import { strings } from '../../strings.ts';
import { limits, type Numbered, overview, refusals } from '../state.ts';
import { reasonText } from './overview.tsx';

const MIB = 1024 * 1024;

/** The limits of the Server, and what it refused. */
export function Refusals() {
  const t = strings.value.operator.refusals;
  const counts = Object.entries(overview.value?.refusals ?? {}).sort(([, a], [, b]) => b - a);
  const columns: Column<Numbered<RefusalRecord>>[] = [
    {
      key: 'time',
      title: strings.value.operator.calls.time,
      width: '92px',
      cell: ({ at }) => <span class="number muted">{time(at)}</span>,
    },
    {
      key: 'reason',
      title: t.reason,
      cell: ({ reason }) => <span title={reason}>{reasonText(reason)}</span>,
    },
    { key: 'count', title: t.count, width: '72px', align: 'right', cell: ({ count }) => number(count) },
    {
      key: 'address',
      title: strings.value.operator.member.address,
      width: '124px',
      show: 'wide',
      cell: ({ address }) => address ?? '–',
    },
    {
      key: 'message',
      title: t.message,
      width: '28%',
      show: 'wide',
      cell: ({ message }) => <span title={message}>{message ?? '–'}</span>,
    },
  ];
  return (
    <Screen lead={t.lead} title={strings.value.operator.nav.refusals}>
      {!overview.value && <Loading />}
      <div class="columns">
        <Card title={t.latest}>
          {refusals.value.length === 0 ? (
            <Empty icon="shield" title={t.none}>
              <p>{t.noneText}</p>
            </Empty>
          ) : (
            <div class="inset refusal-table">
              <Table columns={columns} keyOf={({ id }) => id} label={t.latest} rows={refusals.value} />
            </div>
          )}
        </Card>
        <div class="stack">
          <Card title={t.sinceStart}>
            {counts.length === 0 ? (
              <p class="card-body muted">{t.none}</p>
            ) : (
              <ul class="lines">
                {counts.map(([reason, count]) => (
                  <li class="line" key={reason}>
                    <span class="grow">{reasonText(reason)}</span>
                    <Badge tone="warn">{number(count)}</Badge>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Card title={t.limits}>
            <ul class="lines">
              {Object.entries(limits.value ?? {}).map(([name, value]) => (
                <li class="line" key={name}>
                  <span class="grow">
                    {limitText(name)}
                    <span class="mono muted"> {name}</span>
                  </span>
                  <span class="number">{/Bytes$/.test(name) ? `${number(value / MIB)} MiB` : number(value)}</span>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </Screen>
  );
}

function limitText(name: string): string {
  const texts: Record<string, string> = strings.value.operator.refusals.limitNames;
  return texts[name] ?? '';
}
