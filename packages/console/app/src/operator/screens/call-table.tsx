import type { CallRecord } from '@a2c-smcp/server';
import { Badge, type Tone } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { bytes, time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { latencyText } from '../plots.tsx';
import type { OutcomeName } from '../series.ts';
import type { Numbered } from '../state.ts';

const TONES: Record<OutcomeName, Tone> = {
  answered: 'ok',
  refused: 'warn',
  timeout: 'danger',
  computer_lost: 'danger',
  agent_lost: 'plain',
};

type Call = Numbered<CallRecord>;

/** Calls that ended, without their arguments and results: the Server does not keep them. */
export function CallTable({
  rows,
  label,
  isBrief = false,
}: {
  rows: readonly Call[];
  label: string;
  isBrief?: boolean;
}) {
  const t = strings.value.operator.calls;
  const columns: Column<Call>[] = [
    {
      key: 'time',
      title: t.time,
      width: '92px',
      show: 'wide',
      cell: ({ at }) => <span class="number muted">{time(at)}</span>,
    },
    {
      key: 'call',
      title: t.call,
      cell: ({ event, tool }) => (
        <span class="mono" title={event}>
          {tool ?? event.replace('client:', '')}
        </span>
      ),
    },
    {
      key: 'office',
      title: t.office,
      width: '15%',
      show: 'wide',
      cell: ({ office }) => (office === '' ? '–' : <a href={href('offices', office)}>{office}</a>),
    },
    ...(isBrief
      ? []
      : [
          {
            key: 'agent',
            title: t.agent,
            width: '14%',
            show: 'wider',
            cell: call => call.agent || '–',
          } as Column<Call>,
        ]),
    { key: 'computer', title: t.computer, width: '15%', show: 'wide', cell: ({ computer }) => computer || '–' },
    { key: 'outcome', title: t.outcome, width: '128px', cell: call => <Outcome call={call} /> },
    {
      key: 'took',
      title: t.took,
      width: '84px',
      align: 'right',
      cell: ({ outcome, ms }) => <span class="number">{outcome === 'refused' ? '–' : latencyText(ms)}</span>,
    },
    ...(isBrief
      ? []
      : [
          {
            key: 'size',
            title: t.size,
            width: '88px',
            align: 'right',
            show: 'wider',
            cell: ({ requestBytes, responseBytes }) => (
              <span class="number muted">{bytes(requestBytes + responseBytes)}</span>
            ),
          } as Column<Call>,
        ]),
  ];
  return <Table columns={columns} keyOf={({ id }) => id} label={label} rows={rows} />;
}

function Outcome({ call: { outcome, code } }: { call: Call }) {
  const t = strings.value.operator.calls;
  const tone = outcome === 'answered' && code !== undefined ? 'warn' : TONES[outcome];
  return (
    <Badge tone={tone}>
      {t.outcomes[outcome]}
      {code === undefined ? '' : ` ${code}`}
    </Badge>
  );
}
