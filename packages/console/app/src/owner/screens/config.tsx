import type { DiffLine } from '@a2c-smcp/core';
import { useSignal } from '@preact/signals';
import type { ConfigText } from '../../../../src/owner/types.ts';
import { get, post, put } from '../../api.ts';
import { Button, Card, Failure, Loading, Notice, Screen } from '../../components/basics.tsx';
import { Diff } from '../../components/diff.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';
import { about } from '../state.ts';

interface Checked {
  diff: DiffLine[];
  problem?: string;
}

/** The configuration as an Agent sees it, and the file itself, which is changed after a look at the difference. */
export function Config() {
  const t = strings.value.config;
  const { configFile } = about.value;
  const file = useSignal<ConfigText | undefined>(undefined);
  const open = () =>
    attempt(async () => {
      file.value = await get<ConfigText>('/config/file');
    });
  return (
    <Screen
      actions={
        configFile !== undefined &&
        !file.value && (
          <Button icon="settings" onClick={() => void open()}>
            {t.edit}
          </Button>
        )
      }
      lead={configFile === undefined ? t.noFile : <span class="mono small">{configFile}</span>}
      title={strings.value.nav.config}
    >
      {file.value ? <Editor file={file.value} onClose={() => (file.value = undefined)} /> : <AgentView />}
    </Screen>
  );
}

/** The configuration as an Agent sees it, literals masked. */
function AgentView() {
  const t = strings.value.config;
  const { value, error, refresh } = useFetch<object>('/config', ['tools', 'config']);
  return (
    <Card title={t.agentSees}>
      <div class="card-body stack">
        <p class="secondary">{t.agentSeesText}</p>
        {error && <Failure error={error} retry={refresh} />}
        {!value && !error && <Loading />}
        {value && (
          <div class="code code-tall">
            <JsonTree value={value} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Editor({ file, onClose }: { file: ConfigText; onClose: () => void }) {
  const t = strings.value.config;
  const text = useSignal(file.text);
  const checked = useSignal<Checked | undefined>(undefined);
  const check = () =>
    attempt(async () => {
      checked.value = await post<Checked>('/config/file/check', { text: text.value });
    });
  const save = async () => {
    const isSaved = await attempt(() => put('/config/file', { text: text.value, sum: file.sum }), t.saved);
    if (isSaved) onClose();
  };
  const { diff = [], problem } = checked.value ?? {};
  const isSame = diff.every(({ sign }) => sign === ' ');
  return (
    <Card title={t.file}>
      <div class="card-body stack">
        <Notice tone="warn">{t.secretWarning}</Notice>
        {checked.value ? (
          <>
            {problem !== undefined && <Notice tone="danger">{problem}</Notice>}
            {isSame ? <p>{t.same}</p> : <Diff label={t.difference} lines={diff} />}
            <div class="row wrap">
              <Button disabled={problem !== undefined || isSame} kind="primary" onClick={() => void save()}>
                {t.save}
              </Button>
              <Button icon="back" onClick={() => (checked.value = undefined)}>
                {t.editOn}
              </Button>
              <Button kind="quiet" onClick={onClose}>
                {strings.value.app.cancel}
              </Button>
            </div>
          </>
        ) : (
          <>
            <textarea
              aria-label={t.file}
              class="textarea editor"
              onInput={event => (text.value = event.currentTarget.value)}
              spellcheck={false}
              value={text.value}
            />
            <div class="row wrap">
              <Button kind="primary" onClick={() => void check()}>
                {t.review}
              </Button>
              <Button onClick={onClose}>{strings.value.app.cancel}</Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
