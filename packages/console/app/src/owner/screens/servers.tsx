import { useSignal } from '@preact/signals';
import type { ServerRow } from '../../../../src/owner/types.ts';
import { Button, Empty, Loading, Screen } from '../../components/basics.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { bytes, number } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { isLoaded, servers } from '../state.ts';
import { AddServer } from './add-server.tsx';
import { ServerPanel } from './server.tsx';
import { ServerState } from './server-state.tsx';

/** The MCP servers with their real state. */
export function Servers({ selected }: { selected: string | undefined }) {
  const t = strings.value.servers;
  const isAdding = useSignal(false);
  const columns: Column<ServerRow>[] = [
    { key: 'name', title: t.name, cell: ({ name }) => <a href={href('servers', name)}>{name}</a> },
    { key: 'state', title: t.state, width: '130px', cell: row => <ServerState {...row} /> },
    { key: 'tools', title: t.tools, width: '80px', align: 'right', cell: ({ offered }) => number(offered) },
    {
      key: 'memory',
      title: t.memory,
      width: '96px',
      align: 'right',
      show: 'wide',
      cell: ({ memory }) => (memory === undefined ? '–' : bytes(memory)),
    },
    {
      key: 'restarts',
      title: t.restarts,
      width: '90px',
      align: 'right',
      show: 'wide',
      cell: ({ restarts }) => restarts,
    },
    { key: 'type', title: t.type, width: '110px', show: 'wide', cell: ({ type }) => <span class="muted">{type}</span> },
    {
      key: 'problem',
      title: t.problem,
      width: '30%',
      show: 'wider',
      cell: ({ error }) => <span title={error}>{error}</span>,
    },
  ];
  const shown =
    selected === undefined ? columns : columns.filter(({ key }) => ['name', 'state', 'tools'].includes(key));
  return (
    <Screen
      actions={
        <Button icon="plus" kind="primary" onClick={() => (isAdding.value = true)}>
          {t.add}
        </Button>
      }
      fills
      isOpen={selected !== undefined}
      lead={t.lead}
      title={strings.value.nav.servers}
    >
      {!isLoaded.value && <Loading />}
      {isLoaded.value && servers.value.length === 0 && selected === undefined && (
        <Empty icon="server" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {servers.value.length > 0 && (
        <div class={`split ${selected === undefined ? '' : 'split-open'}`}>
          <div class="split-list">
            <Table
              columns={shown}
              keyOf={({ name }) => name}
              label={strings.value.nav.servers}
              routeOf={({ name }) => ['servers', name]}
              rows={servers.value}
              selected={selected}
            />
          </div>
          {selected !== undefined && <ServerPanel key={selected} name={selected} />}
        </div>
      )}
      {isAdding.value && <AddServer onClose={() => (isAdding.value = false)} />}
    </Screen>
  );
}
