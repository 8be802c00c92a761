import { useSignal } from '@preact/signals';
import type { ToolRow } from '../../../../src/owner/types.ts';
import { Badge, Empty, Failure, Loading, Screen, Search, type Tone } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { number } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { useFetch } from '../../use.ts';
import { ToolPanel } from './tool.tsx';

const TONES: Record<ToolRow['consent'], Tone> = { allow: 'ok', ask: 'warn', deny: 'danger' };

export function Consent({ consent }: { consent: ToolRow['consent'] }) {
  return <Badge tone={TONES[consent]}>{strings.value.tools.consents[consent]}</Badge>;
}

/** The tools that an Agent sees, and what each costs of a model's context. */
export function Tools({ selected }: { selected: string | undefined }) {
  const t = strings.value.tools;
  const { value, error, refresh } = useFetch<ToolRow[]>('/tools', ['tools', 'consent']);
  const query = useSignal('');
  const server = useSignal(new URLSearchParams(location.hash.split('?')[1]).get('server') ?? '');
  const all = value ?? [];
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(tool => {
    const text = `${tool.name} ${tool.summary} ${tool.tags.join(' ')}`.toLowerCase();
    return (server.value === '' || tool.server === server.value) && words.every(word => text.includes(word));
  });
  const tokens = shown.reduce((sum, tool) => sum + tool.tokens, 0);
  const isOpen = selected !== undefined;
  const columns: Column<ToolRow>[] = [
    {
      key: 'name',
      title: t.name,
      width: isOpen ? undefined : '216px',
      cell: ({ name }) => (
        <a class="mono" href={href('tools', name)} title={name}>
          {name}
        </a>
      ),
    } as Column<ToolRow>,
    ...(isOpen
      ? []
      : ([
          {
            key: 'summary',
            title: t.description,
            show: 'wide',
            cell: tool => <span class="secondary">{tool.summary}</span>,
          },
        ] satisfies Column<ToolRow>[])),
    ...(isOpen
      ? []
      : ([
          { key: 'server', title: t.server, width: '14%', show: 'wide', cell: tool => tool.server },
        ] satisfies Column<ToolRow>[])),
    {
      key: 'tokens',
      title: t.tokens,
      width: '84px',
      align: 'right',
      show: isOpen ? undefined : 'wide',
      cell: tool => <span class="number">{number(tool.tokens)}</span>,
    },
    { key: 'consent', title: t.consent, width: '136px', cell: tool => <Consent consent={tool.consent} /> },
  ];
  return (
    <Screen fills isOpen={isOpen} lead={value && t.lead(shown.length, number(tokens))} title={strings.value.nav.tools}>
      <div class="toolbar">
        <Search label={t.search} onInput={text => (query.value = text)} value={query.value} />
        <select
          aria-label={t.server}
          class="select"
          onChange={event => (server.value = event.currentTarget.value)}
          value={server.value}
        >
          <option value="">{t.allServers}</option>
          {[...new Set(all.map(tool => tool.server))].map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value && shown.length === 0 && !isOpen && (
        <Empty icon="tool" title={all.length === 0 ? t.none : strings.value.app.nothingFound}>
          <p>{all.length === 0 ? t.noneText : ''}</p>
        </Empty>
      )}
      {value && (shown.length > 0 || isOpen) && (
        <div class={`split ${isOpen ? 'split-open' : ''}`}>
          <div class="split-list">
            <Table
              columns={columns}
              keyOf={({ name }) => name}
              label={strings.value.nav.tools}
              routeOf={({ name }) => ['tools', name]}
              rows={shown}
              selected={selected}
            />
          </div>
          {isOpen && <ToolPanel key={selected} name={selected} />}
        </div>
      )}
    </Screen>
  );
}
