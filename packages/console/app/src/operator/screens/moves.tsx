import type { MoveRecord } from '@a2c-smcp/server';
import { useSignal } from '@preact/signals';
import { Badge, Empty, Loading, Screen, Search } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { moves, type Numbered, overview } from '../state.ts';

/** The joins and leaves of all offices. */
export function Moves() {
  const t = strings.value.operator;
  const query = useSignal('');
  const words = query.value.toLowerCase();
  const shown = moves.value.filter(({ name, office, address = '', identity = '' }) =>
    `${name} ${office} ${address} ${identity}`.toLowerCase().includes(words),
  );
  const columns: Column<Numbered<MoveRecord>>[] = [
    {
      key: 'time',
      title: t.calls.time,
      width: '92px',
      show: 'wide',
      cell: ({ at }) => <span class="number muted">{time(at)}</span>,
    },
    {
      key: 'type',
      title: t.moves.type,
      width: '106px',
      cell: ({ type }) => <Badge tone={type === 'enter' ? 'ok' : 'plain'}>{t.moves.types[type]}</Badge>,
    },
    { key: 'name', title: t.moves.name, cell: ({ name }) => name },
    { key: 'role', title: t.moves.role, width: '100px', show: 'wide', cell: ({ role }) => t.roles[role] },
    {
      key: 'office',
      title: t.calls.office,
      width: '30%',
      cell: ({ office }) => <a href={href('offices', office)}>{office}</a>,
    },
    {
      key: 'line',
      title: t.member.line,
      width: '92px',
      show: 'wider',
      cell: ({ version }) => version ?? t.member.noLine,
    },
    { key: 'identity', title: t.member.identity, width: '12%', show: 'wider', cell: ({ identity }) => identity ?? '–' },
    { key: 'address', title: t.member.address, width: '128px', show: 'wide', cell: ({ address }) => address ?? '–' },
  ];
  return (
    <Screen fills lead={t.moves.lead} title={t.nav.moves}>
      <div class="toolbar">
        <Search label={t.moves.search} onInput={value => (query.value = value)} value={query.value} />
      </div>
      {!overview.value && <Loading />}
      {overview.value && shown.length === 0 && (
        <Empty icon="users" title={moves.value.length === 0 ? t.moves.none : strings.value.app.nothingFound} />
      )}
      {shown.length > 0 && <Table columns={columns} keyOf={({ id }) => id} label={t.nav.moves} rows={shown} />}
    </Screen>
  );
}
