import type { Pin } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { post } from '../../api.ts';
import { Badge, Button, Empty, Failure, Loading, Screen } from '../../components/basics.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { time } from '../../format.ts';
import { href } from '../../router.ts';
import { bump } from '../../stream/store.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';

type Wanted = { action: 'accept' | 'forget'; pin: Pin };

/** Stands for all windows of an MCP server in the place of a tool. */
const WINDOWS = 'window://';

/** The definitions of tools that were used, and which of them have changed since. */
export function Pins() {
  const t = strings.value.pins;
  const { value, error, refresh } = useFetch<Pin[]>('/pins', ['tools', 'consent']);
  const wanted = useSignal<Wanted | undefined>(undefined);
  const act = ({ action, pin: { server, tool } }: Wanted) =>
    attempt(() => post(`/pins/${action}`, { server, tool })).then(() => bump('consent'));
  const columns: Column<Pin>[] = [
    {
      key: 'tool',
      title: t.tool,
      cell: ({ tool, isChanged }) =>
        tool === WINDOWS ? (
          t.hosts
        ) : isChanged ? (
          <a class="mono" href={href('tools', tool)}>
            {tool}
          </a>
        ) : (
          <span class="mono">{tool}</span>
        ),
    },
    { key: 'server', title: t.server, width: '18%', show: 'wide', cell: ({ server }) => server },
    {
      key: 'since',
      title: t.since,
      width: '160px',
      show: 'wide',
      cell: ({ pinnedAt }) => <span class="muted number">{time(pinnedAt)}</span>,
    },
    {
      key: 'now',
      title: t.now,
      width: '96px',
      cell: ({ isChanged }) => <Badge tone={isChanged ? 'warn' : 'ok'}>{isChanged ? t.changed : t.same}</Badge>,
    },
    {
      key: 'actions',
      title: t.actions,
      width: '148px',
      align: 'right',
      cell: pin => (
        <span class="row end">
          {pin.isChanged && <Button onClick={() => (wanted.value = { action: 'accept', pin })}>{t.accept}</Button>}
          <Button
            icon="trash"
            kind="quiet"
            label={t.forget}
            onClick={() => (wanted.value = { action: 'forget', pin })}
          />
        </span>
      ),
    },
  ];
  const chosen = wanted.value;
  return (
    <Screen fills lead={t.lead} title={strings.value.nav.pins}>
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value?.length === 0 && (
        <Empty icon="pin" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {value && value.length > 0 && (
        <div class="split">
          <Table
            columns={columns}
            keyOf={({ origin, server, tool }) => `${origin} ${server} ${tool}`}
            label={strings.value.nav.pins}
            rows={value.toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged))}
          />
        </div>
      )}
      {chosen && (
        <Confirm
          action={chosen.action === 'accept' ? t.accept : t.forget}
          onClose={() => (wanted.value = undefined)}
          onConfirm={() => void act(chosen)}
          text={chosen.action === 'accept' ? t.acceptText : t.forgetText}
          title={
            chosen.action === 'accept'
              ? t.acceptTitle(chosen.pin.tool, chosen.pin.server)
              : t.forgetTitle(chosen.pin.tool, chosen.pin.server)
          }
        />
      )}
    </Screen>
  );
}
