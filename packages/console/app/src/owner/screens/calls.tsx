import type { CallOutcome } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { Empty, Loading, Screen, Search } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';
import { ended, isLoaded, pending } from '../state.ts';
import { CallPanel } from './call.tsx';
import { type AnyCall, CallTable, isPending } from './call-table.tsx';

/** The calls that run and the last ones that have ended, live. */
export function Calls({ selected }: { selected: string | undefined }) {
  const t = strings.value.calls;
  const query = useSignal('');
  const outcome = useSignal<CallOutcome | 'running' | ''>('');
  const calls = [...pending.value.toReversed(), ...ended.value];
  const words = query.value.toLowerCase();
  const isMeant = (call: AnyCall) => {
    const result = isPending(call) ? 'running' : call.outcome;
    const text = `${call.tool} ${call.server ?? ''} ${call.agent ?? ''}`.toLowerCase();
    return (outcome.value === '' || outcome.value === result) && text.includes(words);
  };
  const shown = calls.filter(isMeant);
  const isOpen = selected !== undefined;
  return (
    <Screen fills isOpen={isOpen} lead={t.lead} title={strings.value.nav.calls}>
      <div class="toolbar">
        <Search label={t.search} onInput={value => (query.value = value)} value={query.value} />
        <select
          aria-label={t.outcome}
          class="select"
          onChange={event => (outcome.value = event.currentTarget.value as CallOutcome)}
          value={outcome.value}
        >
          <option value="">{strings.value.app.all}</option>
          <option value="running">{t.running}</option>
          {Object.entries(t.outcomes).map(([key, title]) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {!isLoaded.value && <Loading />}
      {isLoaded.value && shown.length === 0 && !isOpen && (
        <Empty
          icon="activity"
          title={calls.length === 0 ? strings.value.overview.recentNone : strings.value.app.nothingFound}
        >
          <p>{strings.value.overview.recentNoneText}</p>
        </Empty>
      )}
      {(shown.length > 0 || isOpen) && (
        <div class={`split ${isOpen ? 'split-open' : ''}`}>
          <div class="split-list">
            <CallTable
              calls={shown}
              isBeside={isOpen}
              isBrief={isOpen}
              label={strings.value.nav.calls}
              selected={isOpen ? Number(selected) : undefined}
            />
          </div>
          {isOpen && <CallPanel id={Number(selected)} key={selected} />}
        </div>
      )}
    </Screen>
  );
}
