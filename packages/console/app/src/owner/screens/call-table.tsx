import type { PendingCall } from '@a2c-smcp/computer';
import type { CallRow } from '../../../../src/owner/types.ts';
import { Badge, type Tone } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { duration, time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { useTick } from '../../use.ts';

export type AnyCall = PendingCall | CallRow;

const TONES: Record<CallRow['outcome'], Tone> = {
  ok: 'ok',
  failed: 'danger',
  refused: 'warn',
  'timed out': 'danger',
  cancelled: 'plain',
};

export function isPending(call: AnyCall): call is PendingCall {
  return 'isAsking' in call;
}

/** Calls that run, and calls that have ended. */
export function CallTable({
  calls,
  label,
  selected,
  isBrief = false,
  isBeside = false,
}: {
  calls: readonly AnyCall[];
  label: string;
  selected?: number | undefined;
  /** Without the MCP server. */
  isBrief?: boolean;
  /** Beside one call, so that there is room for the least only. */
  isBeside?: boolean;
}) {
  const t = strings.value.calls;
  useTick(1000, calls.some(isPending));
  const columns: Column<AnyCall>[] = [
    {
      key: 'time',
      title: t.time,
      width: '100px',
      show: 'wide',
      cell: call => <span class="number muted">{time(startOf(call))}</span>,
    },
    {
      key: 'tool',
      title: t.tool,
      cell: call => (
        <a class="mono" href={href('calls', String(call.id))}>
          {call.tool}
        </a>
      ),
    },
    ...(isBrief
      ? []
      : [{ key: 'server', title: t.server, width: '16%', show: 'wide', cell: call => call.server } as Column<AnyCall>]),
    {
      key: 'agent',
      title: t.agent,
      width: isBrief ? '22%' : '16%',
      show: 'wide',
      cell: call => call.agent ?? <span class="muted">{t.here}</span>,
    },
    { key: 'outcome', title: t.outcome, width: '136px', cell: call => <Outcome call={call} /> },
    {
      key: 'took',
      title: t.took,
      width: '98px',
      align: 'right',
      cell: call => <span class="number">{duration(tookOf(call))}</span>,
    },
  ];
  const shown = isBeside ? columns.filter(({ key }) => !['time', 'agent'].includes(key)) : columns;
  return (
    <Table
      columns={shown}
      keyOf={call => call.id}
      label={label}
      routeOf={call => ['calls', String(call.id)]}
      rows={calls}
      selected={selected}
    />
  );
}

export function Outcome({ call }: { call: AnyCall }) {
  const t = strings.value.calls;
  if (!isPending(call)) return <Badge tone={TONES[call.outcome]}>{t.outcomes[call.outcome]}</Badge>;
  return <Badge tone={call.isAsking ? 'warn' : 'accent'}>{call.isAsking ? t.asking : t.running}</Badge>;
}

function startOf(call: AnyCall): number | string {
  return isPending(call) ? call.startedAt : call.timestamp;
}

function tookOf(call: AnyCall): number {
  return isPending(call) ? Date.now() - call.startedAt : call.duration * 1000;
}
