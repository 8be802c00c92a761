import type { PendingCall } from '@a2c-smcp/computer';
import type { CallDetails } from '../../../../src/owner/types.ts';
import { path, remove } from '../../api.ts';
import { Button, Notice } from '../../components/basics.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { Panel, PanelPlaceholder } from '../../components/panel.tsx';
import { Result } from '../../components/result.tsx';
import { duration, time } from '../../format.ts';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch, useTick } from '../../use.ts';
import { pending } from '../state.ts';
import { Outcome } from './call-table.tsx';

/** One call: who made it, with what, how far it is, and what came of it. */
export function CallPanel({ id }: { id: number }) {
  const t = strings.value.calls;
  const live = pending.value.find(call => call.id === id);
  const { value, error, refresh } = useFetch<CallDetails>(`${path('calls', id)}?live=${live !== undefined}`);
  useTick(500, live !== undefined);
  if (error || !value) return <PanelPlaceholder error={error} retry={refresh} />;
  const { record, result } = value;
  const call = live ?? value.pending;
  const { tool = '', server, agent } = record ?? call ?? {};
  const row = record ? { ...record, error: record.error ?? undefined } : call;
  return (
    <Panel
      actions={
        live && (
          <Button icon="stop" kind="danger" onClick={() => void attempt(() => remove(path('calls', id)))}>
            {t.cancel}
          </Button>
        )
      }
      back="calls"
      badges={row && <Outcome call={row} />}
      title={<span class="mono">{tool}</span>}
    >
      {live && <Progress call={live} />}
      <dl class="facts">
        <dt>{t.agent}</dt>
        <dd>{agent ?? t.here}</dd>
        <dt>{t.server}</dt>
        <dd>{server ? <a href={href('servers', server)}>{server}</a> : '–'}</dd>
        <dt>{t.time}</dt>
        <dd>{time(record?.timestamp ?? call?.startedAt ?? 0)}</dd>
        <dt>{t.took}</dt>
        <dd>{duration(record ? record.duration * 1000 : Date.now() - (call?.startedAt ?? Date.now()))}</dd>
        {record && (
          <>
            <dt>{t.decidedBy}</dt>
            <dd>{record.decided_by ?? '–'}</dd>
          </>
        )}
        <dt>{t.id}</dt>
        <dd class="mono">{record?.req_id ?? call?.reqId}</dd>
      </dl>
      <div class="stack">
        <h3>{t.arguments}</h3>
        <div class="code">
          <JsonTree value={record?.parameters ?? call?.params ?? {}} />
        </div>
      </div>
      {record && (
        <div class="stack">
          <h3>{t.result}</h3>
          {result ? <Result result={result} /> : <Notice>{record.error ?? t.noResult}</Notice>}
        </div>
      )}
    </Panel>
  );
}

function Progress({ call: { progress, isAsking } }: { call: PendingCall }) {
  const t = strings.value.calls;
  if (isAsking) {
    return (
      <Notice tone="warn">
        <a href={href('questions')}>{t.askingText}</a>
      </Notice>
    );
  }
  const { progress: done, total, message } = progress ?? {};
  return (
    <div class="stack" role="status">
      <progress aria-label={t.progress} class="progress" max={total} value={total === undefined ? undefined : done} />
      <span class="muted small">
        {message ?? t.runningText}
        {done !== undefined && ` · ${done}${total === undefined ? '' : `/${total}`}`}
      </span>
    </div>
  );
}
