import type { FormField, FormQuestion, InputQuestion, UrlQuestion } from '@a2c-smcp/computer';
import { useSignal } from '@preact/signals';
import { Button, Notice } from '../../components/basics.tsx';
import { ValueField } from '../../components/value-field.tsx';
import { strings } from '../../strings.ts';
import { answer } from '../answer.ts';
import { QuestionCard } from './question-card.tsx';

type Entered = string | string[];

/** A form that an MCP server wants filled in. */
export function FormQuestionCard({ question }: { question: FormQuestion }) {
  const t = strings.value.questions;
  const { id, message, server, fields } = question;
  const entered = useSignal<Record<string, Entered>>(
    Object.fromEntries(
      fields.flatMap(field => (field.default === undefined ? [] : [[field.name, textOf(field.default)]])),
    ),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    void answer(id, { action: 'accept', content: entered.value });
  };
  return (
    <QuestionCard question={question} title={t.formTitle(server)}>
      <p class="preserve">{message}</p>
      {fields.some(({ looksSecret }) => looksSecret) && <Notice tone="warn">{t.secretWarning}</Notice>}
      <form class="stack" noValidate onSubmit={submit}>
        {fields.map(field => (
          <FormFieldView
            field={field}
            key={field.name}
            onChange={value => (entered.value = { ...entered.value, [field.name]: value })}
            value={entered.value[field.name] ?? ''}
          />
        ))}
        <SendButtons canDecline id={id} />
      </form>
    </QuestionCard>
  );
}

interface FormFieldProps {
  field: FormField;
  value: Entered;
  onChange: (value: Entered) => void;
}

function FormFieldView({ field, value, onChange }: FormFieldProps) {
  const { name, title, description, isRequired, type, options = [], format } = field;
  const t = strings.value.form;
  const label = `${title ?? name}${isRequired ? ` (${t.requiredMark})` : ''}`;
  if (type === 'choices') {
    const chosen = Array.isArray(value) ? value : [];
    const toggle = (option: string) =>
      onChange(chosen.includes(option) ? chosen.filter(each => each !== option) : [...chosen, option]);
    return (
      <fieldset class="field">
        <legend class="field-label">{label}</legend>
        {options.map(option => (
          <label class="row" key={option.value}>
            <input checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} type="checkbox" />
            {option.label}
          </label>
        ))}
        <span class="muted small">{description}</span>
      </fieldset>
    );
  }
  const choices = type === 'boolean' ? BOOLEAN : options;
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      {type === 'choice' || type === 'boolean' ? (
        <select class="select" onChange={event => onChange(event.currentTarget.value)} value={String(value)}>
          <option value="">{t.none}</option>
          {choices.map(option => (
            <option key={option.value} value={option.value}>
              {type === 'boolean' ? t.truth[option.value as 'true' | 'false'] : option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="input"
          inputMode={type === 'string' ? 'text' : 'decimal'}
          onInput={event => onChange(event.currentTarget.value)}
          placeholder={format}
          value={String(value)}
        />
      )}
      <span class="muted small">{description}</span>
    </label>
  );
}

const BOOLEAN = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
];

function textOf(value: unknown): Entered {
  return Array.isArray(value) ? value.map(String) : String(value);
}

/** Sends the form around it, or answers without what it asks for. */
function SendButtons({ id, canDecline = false }: { id: string; canDecline?: boolean }) {
  const t = strings.value.questions;
  return (
    <div class="row wrap">
      <Button kind="primary" type="submit">
        {t.send}
      </Button>
      <RefuseButtons id={id} canDecline={canDecline} />
    </div>
  );
}

function RefuseButtons({ id, canDecline = true }: { id: string; canDecline?: boolean }) {
  const t = strings.value.questions;
  return (
    <>
      {canDecline && (
        <Button kind="danger" onClick={() => void answer(id, { action: 'decline' })}>
          {t.decline}
        </Button>
      )}
      <Button kind="quiet" onClick={() => void answer(id, { action: 'cancel' })}>
        {t.dismiss}
      </Button>
    </>
  );
}

/** An address that an MCP server wants visited. It opens by a click and in no other way. */
export function UrlQuestionCard({ question }: { question: UrlQuestion }) {
  const t = strings.value.questions;
  const { id, message, server, url } = question;
  const { host, isWeb } = hostOf(url);
  return (
    <QuestionCard question={question} title={t.urlTitle(server)}>
      <p class="preserve">{message}</p>
      <dl class="facts">
        <dt>{t.host}</dt>
        <dd>
          <strong>{host}</strong>
        </dd>
        <dt>{t.address}</dt>
        <dd class="mono">{url}</dd>
      </dl>
      <div class="row wrap">
        {isWeb && (
          <a
            class="button button-primary"
            href={url}
            onClick={() => void answer(id, { action: 'accept' })}
            rel="noreferrer noopener"
            target="_blank"
          >
            {t.visit(host)}
          </a>
        )}
        <RefuseButtons id={id} />
      </div>
    </QuestionCard>
  );
}

function hostOf(url: string): { host: string; isWeb: boolean } {
  try {
    const { host, protocol } = new URL(url);
    return { host, isWeb: protocol === 'https:' || protocol === 'http:' };
  } catch {
    return { host: '–', isWeb: false };
  }
}

/** A value that an MCP server needs to start. It is stored, and never shown again. */
export function InputQuestionCard({ question }: { question: InputQuestion }) {
  const { id, input } = question;
  const value = useSignal(typeof input.default === 'string' ? input.default : '');
  const options = input.type === 'pickString' ? input.options.map(toOption) : undefined;
  const isPassword = input.type === 'promptString' && input.password === true;
  const submit = (event: Event) => {
    event.preventDefault();
    void answer(id, { action: 'accept', value: value.value });
  };
  return (
    <QuestionCard question={question} title={input.description || input.id}>
      <form class="stack" onSubmit={submit}>
        <label class="field">
          <span class="field-label mono">{input.id}</span>
          <ValueField
            isSecret={isPassword}
            onChange={text => (value.value = text)}
            options={options}
            value={value.value}
          />
        </label>
        <SendButtons id={id} />
      </form>
    </QuestionCard>
  );
}

function toOption(option: string | { value: string; label: string }): { value: string; label: string } {
  return typeof option === 'string' ? { value: option, label: option } : option;
}
