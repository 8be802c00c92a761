import { useSignal } from '@preact/signals';
import type { DesktopView } from '../../../../src/owner/types.ts';
import { Card, Empty, Failure, Loading, Screen } from '../../components/basics.tsx';
import { PlainText } from '../../components/text-view.tsx';
import { number } from '../../format.ts';
import { strings } from '../../strings.ts';
import { useFetch } from '../../use.ts';
import { Problems } from './problems.tsx';

/** The Desktop exactly as an Agent gets it, and what is left out of it. */
export function Desktop() {
  const t = strings.value.desktop;
  const size = useSignal('');
  const query = /^\d+$/.test(size.value) ? `?size=${size.value}` : '';
  const { value, error, refresh } = useFetch<DesktopView>(`/desktop${query}`, ['desktop']);
  return (
    <Screen
      actions={
        <label class="row">
          <span class="secondary">{t.size}</span>
          <input
            class="input size-input"
            inputMode="numeric"
            onInput={event => (size.value = event.currentTarget.value.trim())}
            placeholder={strings.value.app.all}
            value={size.value}
          />
        </label>
      }
      lead={t.lead}
      title={strings.value.nav.desktop}
    >
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value && value.windows.length === 0 && (
        <Empty icon="desktop" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {value?.windows.map((window, index) => (
        <WindowCard key={uriOf(window)} place={index + 1} window={window} />
      ))}
      {value && <Problems problems={value.problems} title={t.leftOut} />}
    </Screen>
  );
}

function WindowCard({ window, place }: { window: string; place: number }) {
  const uri = uriOf(window);
  const body = window.slice(uri.length).replace(/^\n\n/, '');
  return (
    <Card
      actions={<span class="muted small number">{strings.value.desktop.length(number(window.length))}</span>}
      title={
        <span class="row">
          <span class="muted number">{place}</span>
          <span class="mono">{uri}</span>
        </span>
      }
    >
      <div class="card-body">
        {body === '' ? <p class="muted">{strings.value.desktop.empty}</p> : <PlainText text={body} />}
      </div>
    </Card>
  );
}

function uriOf(window: string): string {
  return window.split('\n', 1)[0] ?? '';
}
