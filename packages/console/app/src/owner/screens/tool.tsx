import type { CallToolResult } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ToolDetails } from '../../../../src/owner/types.ts';
import { path, post, put } from '../../api.ts';
import { Badge, Button, Notice } from '../../components/basics.tsx';
import { Diff } from '../../components/diff.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { Panel, PanelPlaceholder } from '../../components/panel.tsx';
import { Result } from '../../components/result.tsx';
import { SchemaForm } from '../../components/schema-form.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { number } from '../../format.ts';
import { href } from '../../router.ts';
import { bump } from '../../stream/store.ts';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { messageOf, useFetch } from '../../use.ts';
import { about } from '../state.ts';
import { toDiffLine } from './confirmation.tsx';
import { Consent } from './tools.tsx';

/** One tool: what a model reads of it, whether it runs unasked, and a form to try it. */
export function ToolPanel({ name }: { name: string }) {
  const t = strings.value.tools;
  const { value, error, refresh } = useFetch<ToolDetails>(path('tools', name), ['tools', 'consent']);
  const tab = useSignal('about');
  if (error || !value) return <PanelPlaceholder error={error} retry={refresh} />;
  return (
    <Panel back="tools" badges={<Consent consent={value.consent} />} title={<span class="mono">{name}</span>}>
      <div>
        <Tabs
          label={name}
          onSelect={id => (tab.value = id)}
          selected={tab.value}
          tabs={[
            { id: 'about', title: t.about },
            { id: 'schema', title: t.schema },
            { id: 'try', title: t.tryIt },
          ]}
        >
          {tab.value === 'about' && <AboutTool details={value} onChange={() => bump('consent')} />}
          {tab.value === 'schema' && <Schemas details={value} />}
          {tab.value === 'try' && <TryIt details={value} />}
        </Tabs>
      </div>
    </Panel>
  );
}

function AboutTool({ details, onChange }: { details: ToolDetails; onChange: () => void }) {
  const t = strings.value.tools;
  const { tool, server, originalTool, tokens, why, change, annotations = {}, autoApply, tags, name } = details;
  const setAutoApply = (value: boolean) =>
    attempt(() => put(path('tools', name, 'auto-apply'), { value })).then(onChange);
  return (
    <div class="stack stack-wide">
      {change && (
        <div class="stack">
          <Notice tone="warn">{strings.value.confirmation.changed}</Notice>
          <Diff label={strings.value.confirmation.change} lines={change.map(toDiffLine)} />
        </div>
      )}
      <p class="preserve">{tool.description || t.noDescription}</p>
      <dl class="facts">
        <dt>{t.server}</dt>
        <dd>
          <a href={href('servers', server)}>{server}</a>
        </dd>
        {originalTool !== name && (
          <>
            <dt>{strings.value.confirmation.originalTool}</dt>
            <dd class="mono">{originalTool}</dd>
          </>
        )}
        <dt>{t.tokens}</dt>
        <dd>{t.tokensText(number(tokens))}</dd>
        {tags.length > 0 && (
          <>
            <dt>{t.tags}</dt>
            <dd class="row wrap">
              {tags.map(tag => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </dd>
          </>
        )}
        {Object.keys(annotations).length > 0 && (
          <>
            <dt>{strings.value.confirmation.hints}</dt>
            <dd class="mono">
              {Object.entries(annotations).map(([key, value]) => (
                <div key={key}>
                  {key}: {String(value)}
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
      <section class="stack consent">
        <h3>{t.consent}</h3>
        <p class="secondary">{why}</p>
        <label class="row">
          <input
            checked={autoApply}
            disabled={about.value.configFile === undefined}
            onChange={event => void setAutoApply(event.currentTarget.checked)}
            type="checkbox"
          />
          {t.autoApply}
        </label>
        <p class="muted small">{about.value.configFile === undefined ? t.noFile : t.autoApplyText}</p>
      </section>
    </div>
  );
}

function Schemas({ details: { tool } }: { details: ToolDetails }) {
  const t = strings.value.tools;
  return (
    <div class="stack">
      <h3>{t.parameters}</h3>
      <div class="code">
        <JsonTree value={tool.params_schema} />
      </div>
      {tool.return_schema && (
        <>
          <h3>{t.returns}</h3>
          <div class="code">
            <JsonTree value={tool.return_schema} />
          </div>
        </>
      )}
    </div>
  );
}

/** Runs the tool from this machine, under the rules that hold for an Agent. */
function TryIt({ details: { name, tool, consent } }: { details: ToolDetails }) {
  const t = strings.value.tools;
  const running = useRef<AbortController | undefined>(undefined);
  const isBusy = useSignal(false);
  const result = useSignal<CallToolResult | Error | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = async (params: Record<string, unknown>) => {
    const abort = new AbortController();
    running.current = abort;
    isBusy.value = true;
    result.value = undefined;
    try {
      result.value = await post<CallToolResult>(path('tools', name, 'call'), { params }, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) result.value = new Error(messageOf(error, strings.value.app.offline));
    }
    isBusy.value = false;
  };
  return (
    <div class="stack">
      {consent === 'ask' && (
        <Notice>
          {t.tryAsks} {isBusy.value && <a href={href('questions')}>{strings.value.nav.questions}</a>}
        </Notice>
      )}
      <SchemaForm
        action={t.run}
        isBusy={isBusy.value}
        onSubmit={params => void run(params)}
        schema={tool.params_schema}
      />
      {isBusy.value && (
        <div class="row" role="status">
          <span class="muted">{strings.value.calls.runningText}</span>
          <Button icon="stop" onClick={() => running.current?.abort()}>
            {strings.value.calls.cancel}
          </Button>
        </div>
      )}
      <div aria-live="polite">
        {result.value instanceof Error ? (
          <Notice tone="danger">{result.value.message}</Notice>
        ) : (
          result.value && <Result result={result.value} />
        )}
      </div>
    </div>
  );
}
