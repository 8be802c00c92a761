import type { NodeInfo } from '@a2c-smcp/server';
import { Badge, Loading, Notice, Screen } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { bytes, duration, number } from '../../format.ts';
import { strings } from '../../strings.ts';
import { overview } from '../state.ts';

/** The nodes that act as one Server. */
export function Nodes() {
  const t = strings.value.operator.nodes;
  const nodes = overview.value?.nodes ?? [];
  const columns: Column<NodeInfo>[] = [
    {
      key: 'node',
      title: t.node,
      cell: ({ node, self }) => (
        <span class="mono" title={node}>
          {node}
          {self ? ` ${t.self}` : ''}
        </span>
      ),
    },
    { key: 'state', title: t.state, width: '120px', cell: node => <State node={node} /> },
    {
      key: 'connections',
      title: t.connections,
      width: '104px',
      align: 'right',
      show: 'wide',
      cell: ({ connections }) => number(connections),
    },
    { key: 'members', title: t.members, width: '92px', align: 'right', cell: ({ members }) => number(members) },
    {
      key: 'inFlight',
      title: t.inFlight,
      width: '92px',
      align: 'right',
      show: 'wide',
      cell: ({ inFlight }) => number(inFlight),
    },
    {
      key: 'calls',
      title: t.calls,
      width: '96px',
      align: 'right',
      show: 'wide',
      cell: ({ calls }) => number(Object.values(calls).reduce((sum, each) => sum + each, 0)),
    },
    {
      key: 'traffic',
      title: t.traffic,
      width: '170px',
      align: 'right',
      show: 'wider',
      cell: ({ received, sent }) => `${bytes(received)} / ${bytes(sent)}`,
    },
    {
      key: 'uptime',
      title: t.uptime,
      width: '110px',
      align: 'right',
      show: 'wide',
      cell: ({ uptime }) => duration(uptime * 1000),
    },
  ];
  return (
    <Screen lead={t.lead} title={strings.value.operator.nav.nodes}>
      {!overview.value && <Loading />}
      {nodes.some(({ observed }) => !observed) && <Notice tone="warn">{t.notObserved}</Notice>}
      {nodes.length > 0 && (
        <div class="card inset">
          <Table columns={columns} keyOf={({ node }) => node} label={strings.value.operator.nav.nodes} rows={nodes} />
        </div>
      )}
    </Screen>
  );
}

function State({ node: { reachable, observed, status } }: { node: NodeInfo }) {
  const t = strings.value.operator.nodes.states;
  if (!reachable) return <Badge tone="danger">{t.unreachable}</Badge>;
  if (status === 'closing') return <Badge tone="warn">{t.closing}</Badge>;
  return <Badge tone={observed ? 'ok' : 'warn'}>{observed ? t.ok : t.partly}</Badge>;
}
