import type { OperatorMember } from '@a2c-smcp/server';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiError, path, remove } from '../../api.ts';
import { Badge, Button, Empty, Failure, Loading } from '../../components/basics.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { Panel } from '../../components/panel.tsx';
import { duration, number, time } from '../../format.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';
import { calls, overview } from '../state.ts';
import { CallTable } from './call-table.tsx';

const REFRESH_MS = 2000;
const SHOWN_CALLS = 50;

/** The members of an office, and its last calls. */
export function OfficePanel({ office }: { office: string }) {
  const t = strings.value.operator;
  const chosen = useSignal<OperatorMember | undefined>(undefined);
  const { value, error, refresh } = useFetch<{ members: OperatorMember[] }>(path('offices', office), ['offices']);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const isGone = error instanceof ApiError && error.status === 404;
  const ended = calls.value.filter(call => call.office === office).slice(0, SHOWN_CALLS);
  const member = chosen.value;
  const disconnect = ({ role, name }: OperatorMember) =>
    attempt(() => remove(`${path('offices', office, 'members', name)}?role=${role}`), t.member.disconnected(name));
  return (
    <Panel back="offices" title={office}>
      {!value && !error && <Loading />}
      {error && !isGone && <Failure error={error} retry={refresh} />}
      {isGone && (
        <Empty icon="users" title={t.member.none}>
          <p>{t.member.noneText}</p>
        </Empty>
      )}
      {!isGone && value && (
        <ul class="lines members">
          {value.members.map(each => (
            <Member key={each.sid} member={each} onDisconnect={() => (chosen.value = each)} />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <section class="stack">
          <h3>{t.calls.latest}</h3>
          <div class="panel-table">
            <CallTable isBrief label={t.calls.latest} rows={ended} />
          </div>
        </section>
      )}
      {member && (
        <Confirm
          action={t.member.disconnect}
          isDangerous
          onClose={() => (chosen.value = undefined)}
          onConfirm={() => void disconnect(member)}
          text={t.member.disconnectText(t.roles[member.role], member.name, office, member.inFlight ?? 0)}
          title={t.member.disconnectTitle(member.name)}
        />
      )}
    </Panel>
  );
}

function Member({ member, onDisconnect }: { member: OperatorMember; onDisconnect: () => void }) {
  const t = strings.value.operator;
  const { role, name, version, identity, address, since, inFlight = 0, node } = member;
  const now = overview.value?.at ?? Date.now();
  const facts: [title: string, value: string | undefined][] = [
    [t.member.line, version ?? t.member.noLine],
    [t.member.address, address],
    [t.member.identity, identity],
    [t.member.since, since === undefined ? undefined : `${time(since)} (${duration(Math.max(0, now - since))})`],
    [t.member.inFlight, number(inFlight)],
    [t.member.node, (overview.value?.nodes.length ?? 0) > 1 ? node : undefined],
  ];
  return (
    <li class="member">
      <div class="row">
        <Badge tone={role === 'agent' ? 'accent' : 'plain'}>{t.roles[role]}</Badge>
        <strong class="grow truncate" title={name}>
          {name}
        </strong>
        <Button icon="close" kind="danger" onClick={onDisconnect}>
          {t.member.disconnect}
        </Button>
      </div>
      <dl class="facts small">
        {facts.map(([title, value]) =>
          value === undefined ? null : (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd class="number">{value}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </li>
  );
}
