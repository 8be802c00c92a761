import type { CallForecast, PolicyRule, ToolSource } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { post } from '../../api.ts';
import { Button, Card, Empty, Failure, Loading, Notice, Screen } from '../../components/basics.tsx';
import { href } from '../../router.ts';
import { strings } from '../../strings.ts';
import { messageOf, useFetch } from '../../use.ts';
import { Consent } from './tools.tsx';

/** The rules of the owner about tool calls, and what they would do to one. */
export function Policy() {
  const t = strings.value.policy;
  const { value, error, refresh } = useFetch<{ rules: PolicyRule[] }>('/policy', ['config', 'tools']);
  return (
    <Screen lead={t.lead} title={strings.value.nav.policy}>
      <Card title={t.rules}>
        {error && <Failure error={error} retry={refresh} />}
        {!value && !error && <Loading lines={3} />}
        {value?.rules.length === 0 && (
          <Empty icon="shield" title={t.none}>
            <p>{t.noneText}</p>
            <a href={href('config')}>{strings.value.nav.config}</a>
          </Empty>
        )}
        <ol class="lines">
          {value?.rules.map((rule, index) => (
            <Rule key={index} place={index + 1} rule={rule} />
          ))}
        </ol>
      </Card>
      <Test />
    </Screen>
  );
}

function Rule({ rule, place }: { rule: PolicyRule; place: number }) {
  const { decision, reason, ...conditions } = rule;
  const shown = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return (
    <li class="line">
      <span class="muted number">{place}</span>
      <Consent consent={decision} />
      <span class="grow">
        <span class="mono">
          {shown.length === 0
            ? strings.value.policy.everything
            : shown
                .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
                .join(' · ')}
        </span>
        {reason !== undefined && <span class="muted small attention-fix">{reason}</span>}
      </span>
    </li>
  );
}

/** Says what would happen to a call. Nothing runs. */
function Test() {
  const t = strings.value.policy;
  const fields = useSignal({ tool: '', agent: '', office: '', params: '{}' });
  const outcome = useSignal<(CallForecast & ToolSource) | Error | undefined>(undefined);
  const set = (name: keyof typeof fields.value) => (event: { currentTarget: { value: string } }) => {
    fields.value = { ...fields.value, [name]: event.currentTarget.value };
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const { tool, agent, office, params } = fields.value;
      outcome.value = await post('/policy/test', { tool, agent, office, params: JSON.parse(params || '{}') });
    } catch (error) {
      outcome.value = new Error(messageOf(error, strings.value.app.offline));
    }
  };
  const result = outcome.value;
  return (
    <Card title={t.test}>
      <form class="card-body stack" onSubmit={event => void submit(event)}>
        <p class="secondary">{t.testText}</p>
        <div class="form-grid">
          <label class="field">
            <span class="field-label">{t.tool}</span>
            <input class="input mono" onInput={set('tool')} required value={fields.value.tool} />
          </label>
          <label class="field">
            <span class="field-label">{t.agent}</span>
            <input class="input" onInput={set('agent')} value={fields.value.agent} />
          </label>
          <label class="field">
            <span class="field-label">{t.office}</span>
            <input class="input" onInput={set('office')} value={fields.value.office} />
          </label>
        </div>
        <label class="field">
          <span class="field-label">{t.params}</span>
          <textarea
            class="textarea textarea-short"
            onInput={set('params')}
            spellcheck={false}
            value={fields.value.params}
          />
        </label>
        <div class="row">
          <Button type="submit">{t.run}</Button>
        </div>
        <div aria-live="polite">
          {result instanceof Error && <Notice tone="danger">{result.message}</Notice>}
          {result && !(result instanceof Error) && (
            <p class="row wrap">
              <Consent consent={result.decision} /> {result.why}
            </p>
          )}
        </div>
      </form>
    </Card>
  );
}
