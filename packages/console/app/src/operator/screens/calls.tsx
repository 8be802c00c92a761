import { useSignal } from '@preact/signals';
import { Button, Empty, Loading, Screen, Search } from '../../components/basics.tsx';
import { strings } from '../../strings.ts';
import { OUTCOMES, type OutcomeName } from '../series.ts';
import { calls, overview } from '../state.ts';
import { CallTable } from './call-table.tsx';

/** The last calls of all offices, live. */
export function Calls() {
  const t = strings.value.operator.calls;
  const query = useSignal('');
  const outcome = useSignal<OutcomeName | ''>('');
  /** The calls as they were when the list was paused. */
  const paused = useSignal<typeof calls.value | undefined>(undefined);
  const words = query.value.toLowerCase();
  const all = paused.value ?? calls.value;
  const shown = all.filter(call => {
    const text = `${call.event} ${call.tool ?? ''} ${call.office} ${call.agent} ${call.computer} ${call.code ?? ''}`;
    return (outcome.value === '' || call.outcome === outcome.value) && text.toLowerCase().includes(words);
  });
  return (
    <Screen
      actions={
        <Button
          icon={paused.value ? 'play' : 'stop'}
          onClick={() => (paused.value = paused.value ? undefined : calls.value)}
        >
          {paused.value ? t.resume : t.pause}
        </Button>
      }
      fills
      lead={t.lead}
      title={strings.value.nav.calls}
    >
      <div class="toolbar">
        <Search label={t.search} onInput={value => (query.value = value)} value={query.value} />
        <select
          aria-label={t.outcome}
          class="select"
          onChange={event => (outcome.value = event.currentTarget.value as OutcomeName | '')}
          value={outcome.value}
        >
          <option value="">{strings.value.app.all}</option>
          {OUTCOMES.map(each => (
            <option key={each} value={each}>
              {t.outcomes[each]}
            </option>
          ))}
        </select>
      </div>
      {!overview.value && <Loading />}
      {overview.value && shown.length === 0 && (
        <Empty icon="activity" title={all.length === 0 ? t.none : strings.value.app.nothingFound}>
          {all.length === 0 && <p>{t.noneText}</p>}
        </Empty>
      )}
      {shown.length > 0 && <CallTable label={strings.value.nav.calls} rows={shown} />}
    </Screen>
  );
}
