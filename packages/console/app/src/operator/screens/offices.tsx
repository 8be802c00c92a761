import type { OfficeSummary } from '@a2c-smcp/server';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Empty, Failure, Loading, Screen, Search } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { number } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { useFetch } from '../../use.ts';
import { OfficePanel } from './office.tsx';

/** Milliseconds after which the calls in flight are read again. */
const REFRESH_MS = 2000;
/** Milliseconds without a key after which a search is sent. */
const TYPING_MS = 200;

/** The offices of all nodes. */
export function Offices({ selected }: { selected: string | undefined }) {
  const t = strings.value.operator.offices;
  const typed = useSignal('');
  const query = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => (query.value = typed.value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const path = `/offices${query.value === '' ? '' : `?q=${encodeURIComponent(query.value)}`}`;
  const { value, error, refresh } = useFetch<{ offices: OfficeSummary[]; total: number }>(path, ['offices']);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const isOpen = selected !== undefined;
  const columns: Column<OfficeSummary>[] = [
    { key: 'office', title: t.office, cell: ({ office }) => <a href={href('offices', office)}>{office}</a> },
    {
      key: 'agent',
      title: t.agent,
      width: '24%',
      show: 'wide',
      cell: ({ agent }) => agent ?? <span class="muted">{t.noAgent}</span>,
    },
    {
      key: 'computers',
      title: t.computers,
      width: '104px',
      align: 'right',
      cell: ({ computers }) => number(computers),
    },
    {
      key: 'inFlight',
      title: t.inFlight,
      width: '104px',
      align: 'right',
      show: 'wide',
      cell: ({ inFlight }) => number(inFlight),
    },
  ];
  const offices = value?.offices ?? [];
  const hidden = (value?.total ?? 0) - offices.length;
  return (
    <Screen fills isOpen={isOpen} lead={t.lead} title={strings.value.operator.nav.offices}>
      <div class="toolbar">
        <Search label={t.search} onInput={text => (typed.value = text)} value={typed.value} />
        {hidden > 0 && <span class="muted">{t.hidden(number(hidden))}</span>}
      </div>
      {error && !value && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value && offices.length === 0 && !isOpen && (
        <Empty icon="users" title={query.value === '' ? t.none : strings.value.app.nothingFound}>
          {query.value === '' && <p>{t.noneText}</p>}
        </Empty>
      )}
      {(offices.length > 0 || isOpen) && (
        <div class={`split ${isOpen ? 'split-open' : ''}`}>
          <div class="split-list">
            <Table
              columns={isOpen ? columns.filter(({ key }) => key === 'office' || key === 'computers') : columns}
              keyOf={({ office }) => office}
              label={strings.value.operator.nav.offices}
              routeOf={({ office }) => ['offices', office]}
              rows={offices}
              selected={selected}
            />
          </div>
          {isOpen && <OfficePanel key={selected} office={selected} />}
        </div>
      )}
    </Screen>
  );
}
