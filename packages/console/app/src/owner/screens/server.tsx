import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LogEntry, LogPage, ServerDetails } from '../../../../src/owner/types.ts';
import { get, path, post, remove } from '../../api.ts';
import { Button, Empty, Failure, Loading, Notice } from '../../components/basics.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { LogView } from '../../components/log-view.tsx';
import { Panel } from '../../components/panel.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { bytes } from '../../format.ts';
import { go, href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';
import { logs, servers } from '../state.ts';
import { ServerState } from './server-state.tsx';
import { beginSignIn } from './sign-in.tsx';

/** Lines that the page keeps; the console itself keeps as many. */
const MAX_LINES = 100_000;

/** One MCP server: its state, what to do about it, its log. */
export function ServerPanel({ name }: { name: string }) {
  const { servers: t, signIn: s } = strings.value;
  const live = servers.value.find(server => server.name === name);
  // Fetched again when its state changes.
  const { value, error, refresh } = useFetch<ServerDetails>(live && `${path('servers', name)}?state=${live.state}`);
  const tab = useSignal<'facts' | 'log'>(live?.state === 'failed' ? 'log' : 'facts');
  const isBusy = useSignal(false);
  const isRemoving = useSignal(false);
  const during = async (work: Promise<unknown>) => {
    isBusy.value = true;
    await work;
    isBusy.value = false;
  };
  const act = (action: 'start' | 'stop' | 'restart' | 'sign-out') =>
    during(attempt(() => post(path('servers', name, action))));
  if (error)
    return (
      <div class="card">
        <Failure error={error} retry={refresh} />
      </div>
    );
  if (!live) {
    return (
      <div class="card">
        <Empty icon="server" title={t.gone(name)}>
          <a href={href('servers')}>{strings.value.app.back}</a>
        </Empty>
      </div>
    );
  }
  const isStopped = live.state === 'disabled' || live.state === 'stopped';
  const isLocal = live.type === 'local';
  return (
    <Panel
      actions={
        !isLocal && (
          <>
            {live.auth !== undefined && live.auth !== 'signed-in' && (
              <Button disabled={isBusy.value} icon="key" kind="primary" onClick={() => void during(beginSignIn(name))}>
                {s.begin}
              </Button>
            )}
            {(live.auth === 'signed-in' || live.auth === 'refused') && (
              <Button disabled={isBusy.value} icon="key" onClick={() => void act('sign-out')}>
                {s.signOut}
              </Button>
            )}
            {isStopped ? (
              <Button disabled={isBusy.value} icon="play" onClick={() => void act('start')}>
                {t.start}
              </Button>
            ) : (
              <>
                <Button disabled={isBusy.value} icon="restart" onClick={() => void act('restart')}>
                  {t.restart}
                </Button>
                <Button disabled={isBusy.value} icon="stop" onClick={() => void act('stop')}>
                  {t.stop}
                </Button>
              </>
            )}
            <Button icon="trash" kind="danger" label={t.remove} onClick={() => (isRemoving.value = true)} />
          </>
        )
      }
      back="servers"
      badges={<ServerState {...live} />}
      title={name}
    >
      {live.error !== undefined && <Notice tone={live.state === 'failed' ? 'danger' : 'warn'}>{live.error}</Notice>}
      <div>
        <Tabs
          label={name}
          onSelect={id => (tab.value = id as 'facts' | 'log')}
          selected={tab.value}
          tabs={[
            { id: 'facts', title: t.details },
            { id: 'log', title: t.log },
          ]}
        >
          {tab.value === 'log' ? (
            <ServerLog name={name} />
          ) : value ? (
            <Facts server={{ ...value, ...live }} />
          ) : (
            <Loading />
          )}
        </Tabs>
      </div>
      {isRemoving.value && (
        <Confirm
          action={t.remove}
          isDangerous
          onClose={() => (isRemoving.value = false)}
          onConfirm={() =>
            void attempt(() => remove(path('servers', name)), t.removed(name)).then(isDone => isDone && go('servers'))
          }
          text={value?.isSaved ? t.removeSaved : t.removeText}
          title={t.removeTitle(name)}
        />
      )}
    </Panel>
  );
}

function Facts({ server }: { server: ServerDetails }) {
  const t = strings.value.servers;
  const { type, auth, pid, era, restarts, memory, offered, tools, instructions, config } = server;
  return (
    <div class="stack stack-wide">
      <dl class="facts">
        <dt>{t.tools}</dt>
        <dd>
          <a href={`${href('tools')}?server=${encodeURIComponent(server.name)}`}>{t.offered(offered, tools)}</a>
        </dd>
        <dt>{t.type}</dt>
        <dd>{pid === undefined ? type : t.process(type, pid)}</dd>
        {auth !== undefined && (
          <>
            <dt>{strings.value.signIn.state}</dt>
            <dd>{strings.value.signIn.states[auth]}</dd>
          </>
        )}
        <dt>{t.memory}</dt>
        <dd>{memory === undefined ? '–' : bytes(memory)}</dd>
        <dt>{t.restarts}</dt>
        <dd class="number">{restarts}</dd>
        {era !== undefined && (
          <>
            <dt>MCP</dt>
            <dd>{era === 'modern' ? t.modern : t.legacy}</dd>
          </>
        )}
      </dl>
      {instructions !== undefined && (
        <div class="stack">
          <h3>{t.instructions}</h3>
          <p class="preserve secondary">{instructions}</p>
        </div>
      )}
      <div class="stack">
        <h3>{t.config}</h3>
        <div class="code">
          <JsonTree value={config} />
        </div>
        <p class="muted small">{t.configText}</p>
      </div>
    </div>
  );
}

/** The log of a server, followed while it is shown. */
function ServerLog({ name }: { name: string }) {
  const t = strings.value.log;
  const state = useLog(name);
  const query = useSignal('');
  if (!state.value) return <Loading />;
  const { lines } = state.value;
  const words = query.value.toLowerCase();
  const shown = words === '' ? lines : lines.filter(({ text }) => text.toLowerCase().includes(words));
  return (
    <div class="stack">
      <div class="row wrap spread">
        <input
          aria-label={t.filter}
          class="input log-filter"
          onInput={event => (query.value = event.currentTarget.value)}
          placeholder={t.filter}
          type="search"
          value={query.value}
        />
        <span class="muted small number">{t.count(shown.length)}</span>
      </div>
      {shown.length === 0 ? <p class="muted">{t.none}</p> : <LogView label={t.title(name)} lines={shown} />}
    </div>
  );
}

/** The lines of a log, with new ones as they come: one request at a time, for all that is new. */
function useLog(name: string) {
  const state = useSignal<{ next: number; lines: readonly LogEntry[] } | undefined>(undefined);
  const isLoading = useRef(false);
  const wanted = logs.value[name] ?? 0;
  useEffect(() => {
    const load = async () => {
      const { next = 0, lines = [] } = state.peek() ?? {};
      const page = await get<LogPage>(`${path('servers', name, 'log')}?after=${next}`);
      // A console that was started anew counts from the beginning.
      const kept = page.next < next ? [] : lines;
      state.value = { next: page.next, lines: [...kept, ...page.lines].slice(-MAX_LINES) };
      return page.next < (logs.peek()[name] ?? 0);
    };
    const loadAll = async () => {
      isLoading.current = true;
      try {
        while (await load());
      } catch {
        // The page says by itself that the console does not answer.
      }
      isLoading.current = false;
    };
    if (!isLoading.current) void loadAll();
  }, [name, wanted]);
  return state;
}
