import type { ConfirmationQuestion } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Badge, Button, Notice } from '../../components/basics.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Diff } from '../../components/diff.tsx';
import { JsonTree } from '../../components/json-tree.tsx';
import { strings } from '../../strings.ts';
import { answer } from '../answer.ts';
import { QuestionCard } from './question-card.tsx';

/** Asks whether a tool may run. No button is the default: Enter must not run anything. */
export function Confirmation({ question, isSelected }: { question: ConfirmationQuestion; isSelected: boolean }) {
  const t = strings.value.confirmation;
  const { id, tool, server, params, annotations = {}, reason, change } = question;
  const dialog = useSignal<'always' | 'refuse' | 'edit' | undefined>(undefined);
  const card = useRef<HTMLDivElement>(null);
  const close = () => {
    dialog.value = undefined;
  };
  useEffect(() => {
    if (isSelected) card.current?.scrollIntoView({ block: 'start' });
  }, [isSelected]);
  return (
    <div ref={card}>
      <QuestionCard question={question} title={t.title(tool)}>
        {reason !== undefined && <Notice>{reason}</Notice>}
        {change && (
          <div class="stack">
            <Notice tone="warn">{t.changed}</Notice>
            <Diff label={t.change} lines={change.map(toDiffLine)} />
          </div>
        )}
        <dl class="facts">
          <dt>{t.server}</dt>
          <dd>{server}</dd>
          {question.originalTool !== tool && (
            <>
              <dt>{t.originalTool}</dt>
              <dd class="mono">{question.originalTool}</dd>
            </>
          )}
          <dt>{t.hints}</dt>
          <dd>
            <Hints annotations={annotations} />
          </dd>
        </dl>
        <div>
          <h3>{t.arguments}</h3>
          <div class="code">
            <JsonTree value={params} />
          </div>
        </div>
        <div class="row wrap">
          <Button icon="play" onClick={() => void answer(id, { action: 'run' })}>
            {t.once}
          </Button>
          <Button onClick={() => void answer(id, { action: 'run', remember: 'session' })}>{t.session}</Button>
          <Button onClick={() => (dialog.value = 'always')}>{t.always}</Button>
          <Button kind="danger" icon="stop" onClick={() => void answer(id, { action: 'refuse' })}>
            {t.refuse}
          </Button>
          <Button kind="quiet" onClick={() => (dialog.value = 'refuse')}>
            {t.refuseWhy}
          </Button>
          <Button kind="quiet" onClick={() => (dialog.value = 'edit')}>
            {t.edit}
          </Button>
        </div>
      </QuestionCard>
      {dialog.value === 'always' && (
        <Dialog onClose={close} title={t.alwaysTitle}>
          <div class="dialog-body">
            <h2>{t.alwaysTitle}</h2>
            <p class="secondary">{t.alwaysText(question.originalTool, server)}</p>
            <div class="dialog-actions">
              <Button onClick={close}>{strings.value.app.cancel}</Button>
              <Button kind="primary" onClick={() => void answer(id, { action: 'run', remember: 'always' }).then(close)}>
                {t.alwaysRun}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
      {dialog.value === 'refuse' && <RefuseDialog id={id} onClose={close} />}
      {dialog.value === 'edit' && <EditDialog id={id} onClose={close} params={params} />}
    </div>
  );
}

/** The claims of the MCP server about its tool, which may be wrong or a lie. */
function Hints({ annotations }: { annotations: Record<string, unknown> }) {
  const t = strings.value.confirmation;
  const { readOnlyHint, destructiveHint, openWorldHint, idempotentHint } = annotations;
  if (Object.keys(annotations).length === 0) return <span class="muted">{t.noHints}</span>;
  return (
    <span class="row wrap">
      {readOnlyHint === true && <Badge tone="ok">{t.readOnly}</Badge>}
      {readOnlyHint !== true && destructiveHint !== false && <Badge tone="warn">{t.destructive}</Badge>}
      {readOnlyHint !== true && destructiveHint === false && <Badge>{t.additive}</Badge>}
      {idempotentHint === true && <Badge>{t.idempotent}</Badge>}
      {openWorldHint === true && <Badge>{t.openWorld}</Badge>}
      <span class="muted small">{t.hintsText}</span>
    </span>
  );
}

function RefuseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = strings.value.confirmation;
  const reason = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    void answer(id, { action: 'refuse', ...(reason.value === '' ? {} : { reason: reason.value }) }).then(onClose);
  };
  return (
    <Dialog onClose={onClose} title={t.refuseWhy}>
      <form class="dialog-body" onSubmit={submit}>
        <label class="field">
          <span class="field-label">{t.reason}</span>
          <input class="input" onInput={event => (reason.value = event.currentTarget.value)} value={reason.value} />
        </label>
        <div class="dialog-actions">
          <Button onClick={onClose}>{strings.value.app.cancel}</Button>
          <Button kind="danger" type="submit">
            {t.refuse}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function EditDialog({ id, params, onClose }: { id: string; params: Record<string, unknown>; onClose: () => void }) {
  const t = strings.value.confirmation;
  const text = useSignal(JSON.stringify(params, null, 2));
  const problem = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    try {
      void answer(id, { action: 'run', params: JSON.parse(text.value) }).then(isDone => isDone && onClose());
    } catch {
      problem.value = strings.value.form.invalid('object');
    }
  };
  return (
    <Dialog onClose={onClose} title={t.edit}>
      <form class="dialog-body" onSubmit={submit}>
        <label class="field">
          <span class="field-label">{t.arguments}</span>
          <textarea
            class="textarea"
            onInput={event => (text.value = event.currentTarget.value)}
            rows={10}
            spellcheck={false}
            value={text.value}
          />
          {problem.value !== '' && <span class="field-error">{problem.value}</span>}
        </label>
        <p class="muted small">{t.editText}</p>
        <div class="dialog-actions">
          <Button onClick={onClose}>{strings.value.app.cancel}</Button>
          <Button kind="primary" type="submit">
            {t.editRun}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function toDiffLine(line: string): { sign: ' ' | '-' | '+'; text: string } {
  const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
  return { sign, text: sign === ' ' ? line : line.slice(1).trimStart() };
}
