import type { AuditLine, AuditVerification } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AuditView } from '../../../../src/owner/types.ts';
import { get } from '../../api.ts';
import { Badge, Button, Empty, Failure, Loading, Notice, Screen, Search } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { duration, time } from '../../format.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';

const TYPING_MS = 250;

/** The recorded calls of this machine, in a chain in which no line can be changed unseen. */
export function Audit() {
  const t = strings.value.audit;
  const typed = useSignal('');
  const search = useSignal('');
  const outcome = useSignal('');
  const verified = useSignal<AuditVerification | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => (search.value = typed.value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const query = new URLSearchParams({ search: search.value, outcome: outcome.value });
  const { value, error, refresh } = useFetch<AuditView>(`/audit?${query}`);
  const outcomes = strings.value.calls.outcomes;
  const columns: Column<AuditLine>[] = [
    { key: 'time', title: t.time, width: '124px', cell: line => <span class="number muted">{time(line.time)}</span> },
    { key: 'tool', title: t.tool, cell: line => <span class="mono">{line.tool}</span> },
    {
      key: 'agent',
      title: t.agent,
      width: '12%',
      show: 'wide',
      cell: line => line.agent ?? <span class="muted">{strings.value.calls.here}</span>,
    },
    {
      key: 'outcome',
      title: t.outcome,
      width: '112px',
      cell: line => (
        <Badge tone={line.outcome === 'ok' ? 'ok' : 'warn'}>
          {outcomes[line.outcome as keyof typeof outcomes] ?? line.outcome}
        </Badge>
      ),
    },
    { key: 'by', title: t.decidedBy, width: '110px', show: 'wide', cell: line => line.decidedBy },
    {
      key: 'took',
      title: t.took,
      width: '90px',
      align: 'right',
      show: 'wide',
      cell: line => <span class="number">{duration(line.duration * 1000)}</span>,
    },
    {
      key: 'arguments',
      title: t.arguments,
      width: '26%',
      show: 'wider',
      cell: line => (
        <span class="mono muted" title={line.arguments}>
          {line.arguments ?? line.argumentsSum}
        </span>
      ),
    },
  ];
  const verify = () =>
    attempt(async () => {
      verified.value = await get<AuditVerification>('/audit/verify');
    });
  return (
    <Screen
      actions={
        value?.file !== undefined && (
          <Button icon="shield" onClick={() => void verify()}>
            {t.verify}
          </Button>
        )
      }
      fills
      lead={value?.file === undefined ? undefined : <span class="mono small">{value.file}</span>}
      title={strings.value.nav.audit}
    >
      {verified.value && (
        <div role="status">
          <Notice tone={verified.value.problems.length === 0 ? 'plain' : 'danger'}>
            {verified.value.problems.length === 0
              ? t.whole(verified.value.lines)
              : verified.value.problems.map(({ file, line, problem }) => `${file}:${line} ${problem}`).join('\n')}
          </Notice>
        </div>
      )}
      <div class="toolbar">
        <Search label={t.search} onInput={text => (typed.value = text)} value={typed.value} />
        <select
          aria-label={t.outcome}
          class="select"
          onChange={event => (outcome.value = event.currentTarget.value)}
          value={outcome.value}
        >
          <option value="">{strings.value.app.all}</option>
          {Object.entries(outcomes).map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
        <Button icon="restart" kind="quiet" label={t.refresh} onClick={refresh} />
      </div>
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value?.lines.length === 0 && (
        <Empty icon="list" title={value.file === undefined ? t.off : t.none}>
          <p>{value.file === undefined ? t.offText : t.noneText}</p>
        </Empty>
      )}
      {value && value.lines.length > 0 && (
        <div class="split">
          <Table columns={columns} keyOf={({ seq }) => seq} label={strings.value.nav.audit} rows={value.lines} />
        </div>
      )}
    </Screen>
  );
}
