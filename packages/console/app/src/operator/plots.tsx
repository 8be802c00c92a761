import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Card } from '../components/basics.tsx';
import { lazy } from '../components/lazy.tsx';
import { duration, number } from '../format.ts';
import { strings } from '../strings.ts';
import { theme } from '../theme.ts';
import { callSeries, currentRates, latencySeries } from './series.ts';
import { MAX_SECONDS, overview, seconds } from './state.ts';

/** The library is loaded with the first plot. */
const LazyPlot = lazy(() => import('./plot.tsx').then(({ Plot }) => Plot));

/** Calls per second and how long they take, of all events or of one. */
export function CallPlots() {
  const t = strings.value.operator.plots;
  const event = useSignal('');
  const length = useSignal(60);
  const now = overview.value?.at ?? 0;
  // One step a second, however many frames there are.
  const second = now - (now % 1000);
  const range = { now: second, length: length.value };
  const key = [second, event.value, length.value, seconds.value.length];
  const calls = useMemo(() => callSeries(seconds.value, range, event.value), key);
  const latency = useMemo(() => latencySeries(seconds.value, range, event.value), key);
  const events = [...new Set(seconds.value.flatMap(({ events: each }) => Object.keys(each)))].sort();
  const { perSecond, p50, p95, p99 } = currentRates(seconds.value, now, event.value);
  const isDark = document.documentElement.dataset.theme === 'dark';
  const mode = `${theme.value} ${isDark}`;
  const ms = (value: number | undefined) => (value === undefined ? '–' : latencyText(value));
  return (
    <>
      <div class="toolbar">
        <select
          aria-label={t.event}
          class="select"
          onChange={({ currentTarget }) => (event.value = currentTarget.value)}
          value={event.value}
        >
          <option value="">{t.allEvents}</option>
          {events.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <div class="segments">
          {[60, MAX_SECONDS].map(each => (
            <button
              aria-pressed={length.value === each}
              class="segment"
              key={each}
              onClick={() => (length.value = each)}
              type="button"
            >
              {t.minutes(each / 60)}
            </button>
          ))}
        </div>
      </div>
      <div class="plots">
        <Card
          actions={
            <Legend
              items={[
                [t.answered, 'ok'],
                [t.refused, 'warn'],
                [t.failed, 'danger'],
              ]}
            />
          }
          title={t.calls}
        >
          <p class="plot-figure number">{t.perSecond(number(Math.round(perSecond * 10) / 10))}</p>
          <LazyPlot
            data={calls}
            label={t.callsLabel(number(Math.round(perSecond * 10) / 10))}
            lines={[
              { title: t.answered, colour: '--ok', isFilled: true },
              { title: t.refused, colour: '--warn' },
              { title: t.failed, colour: '--danger' },
            ]}
            theme={mode}
            unit={number}
          />
        </Card>
        <Card
          actions={
            <Legend
              items={[
                ['p50', 'ok'],
                ['p95', 'accent'],
                ['p99', 'danger'],
              ]}
            />
          }
          title={t.latency}
        >
          <p class="plot-figure number">{`p50 ${ms(p50)} · p95 ${ms(p95)} · p99 ${ms(p99)}`}</p>
          <LazyPlot
            data={latency}
            isLogarithmic
            label={t.latencyLabel(ms(p50), ms(p95), ms(p99))}
            lines={[
              { title: 'p50', colour: '--ok' },
              { title: 'p95', colour: '--accent' },
              { title: 'p99', colour: '--danger' },
            ]}
            theme={mode}
            unit={latencyText}
          />
        </Card>
      </div>
    </>
  );
}

function Legend({ items }: { items: readonly (readonly [title: string, tone: string])[] }) {
  return (
    <ul class="legend small muted">
      {items.map(([title, tone]) => (
        <li class="row" key={title}>
          <span class={`dot dot-${tone}`} />
          {title}
        </li>
      ))}
    </ul>
  );
}

/** Milliseconds with up to two digits behind the point below ten. */
export function latencyText(milliseconds: number): string {
  if (milliseconds >= 10) return duration(milliseconds);
  return `${milliseconds.toLocaleString(undefined, { maximumSignificantDigits: 2 })} ms`;
}
