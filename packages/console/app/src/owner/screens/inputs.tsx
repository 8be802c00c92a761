import { useSignal } from '@preact/signals';
import type { InputRow } from '../../../../src/owner/types.ts';
import { path, put, remove } from '../../api.ts';
import { Badge, Button, Card, Empty, Failure, Loading, Screen } from '../../components/basics.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ValueField } from '../../components/value-field.tsx';
import { strings } from '../../strings.ts';
import { attempt } from '../../toasts.ts';
import { useFetch } from '../../use.ts';

/** The values behind placeholders of the configuration. They can be set, and are never shown. */
export function Inputs({ selected }: { selected: string | undefined }) {
  const t = strings.value.inputs;
  const { value, error, refresh } = useFetch<InputRow[]>('/inputs', ['config', 'tools']);
  const editing = useSignal<string | undefined>(selected);
  const input = value?.find(({ id }) => id === editing.value);
  const clear = (id: string) => attempt(() => remove(path('inputs', id)), t.cleared(id)).then(refresh);
  return (
    <Screen lead={t.lead} title={strings.value.nav.inputs}>
      {error && <Failure error={error} retry={refresh} />}
      {!value && !error && <Loading />}
      {value?.length === 0 && (
        <Empty icon="key" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {value && value.length > 0 && (
        <Card>
          <ul class="lines">
            {value.map(row => (
              <li class="line" key={row.id}>
                <span class="grow">
                  <span class="mono attention-problem">{row.id}</span>
                  <span class="muted small attention-fix">{row.description}</span>
                </span>
                {[...new Set(row.sources)].map(source => (
                  <Badge key={source} tone={source === 'none' ? 'warn' : 'plain'}>
                    {t.sources[source as keyof typeof t.sources] ?? source}
                  </Badge>
                ))}
                {row.type !== 'command' && <Button onClick={() => (editing.value = row.id)}>{t.set}</Button>}
                <Button icon="trash" kind="quiet" label={t.clear(row.id)} onClick={() => void clear(row.id)} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {input && <SetInput input={input} onClose={() => (editing.value = undefined)} onDone={refresh} />}
    </Screen>
  );
}

function SetInput({ input, onClose, onDone }: { input: InputRow; onClose: () => void; onDone: () => void }) {
  const t = strings.value.inputs;
  const value = useSignal('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const isDone = await attempt(() => put(path('inputs', input.id), { value: value.value }), t.stored(input.id));
    if (!isDone) return;
    onClose();
    onDone();
  };
  return (
    <Dialog onClose={onClose} title={input.id}>
      <form class="dialog-body" onSubmit={event => void submit(event)}>
        <h2 class="mono">{input.id}</h2>
        <label class="field">
          <span class="field-label">{input.description || t.value}</span>
          <ValueField
            isSecret={input.isPassword}
            onChange={text => (value.value = text)}
            options={input.options}
            value={value.value}
          />
        </label>
        <p class="muted small">{t.setText}</p>
        <div class="dialog-actions">
          <Button onClick={onClose}>{strings.value.app.cancel}</Button>
          <Button kind="primary" type="submit">
            {strings.value.app.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
