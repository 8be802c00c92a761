import { useSignal } from '@preact/signals';
import { strings } from '../strings.ts';
import { Button } from './basics.tsx';

type Schema = Record<string, unknown>;

export interface SchemaFormProps {
  /** The JSON Schema of an object. */
  schema: Schema;
  initial?: Record<string, unknown>;
  action: string;
  isBusy?: boolean;
  onSubmit: (value: Record<string, unknown>) => void;
  onCancel?: () => void;
}

/** A form for the properties of a schema; what a field cannot express is written as JSON. */
export function SchemaForm({ schema, initial = {}, action, isBusy = false, onSubmit, onCancel }: SchemaFormProps) {
  const t = strings.value.form;
  const properties = Object.entries(fieldsOf(schema.properties)).map(
    ([name, field]) => [name, fieldsOf(field)] as const,
  );
  const required = Array.isArray(schema.required) ? schema.required : [];
  const defaults = Object.fromEntries(
    properties.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );
  const texts = useSignal<Record<string, string>>(toTexts({ ...defaults, ...initial }));
  const json = useSignal(JSON.stringify({ ...defaults, ...initial }, null, 2));
  const isJson = useSignal(properties.length === 0 && schema.additionalProperties !== false);
  const problems = useSignal<Record<string, string>>({});
  const set = (name: string, text: string | undefined) => {
    const { [name]: _, ...others } = texts.value;
    texts.value = text === undefined ? others : { ...others, [name]: text };
  };
  const read = () => {
    const found: Record<string, string> = {};
    const value: Record<string, unknown> = {};
    for (const [name, field] of properties) {
      const text = texts.value[name];
      if (text === undefined || (text === '' && !required.includes(name))) {
        if (required.includes(name)) found[name] = t.required;
        continue;
      }
      const parsed = fromText(field, text);
      if (parsed === undefined) found[name] = t.invalid(kindOf(field));
      else value[name] = parsed.value;
    }
    return { value, found };
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isJson.value) {
      const parsed = parseObject(json.value);
      problems.value = parsed ? {} : { '': t.invalid('object') };
      if (parsed) onSubmit(parsed);
      return;
    }
    const { value, found } = read();
    problems.value = found;
    if (Object.keys(found).length === 0) onSubmit(value);
  };
  const switchMode = () => {
    if (isJson.value) texts.value = toTexts(parseObject(json.value) ?? {});
    else json.value = JSON.stringify(read().value, null, 2);
    isJson.value = !isJson.value;
    problems.value = {};
  };
  return (
    <form class="stack" noValidate onSubmit={submit}>
      {isJson.value ? (
        <label class="field">
          <span class="field-label">{t.json}</span>
          <textarea
            class="textarea"
            onInput={event => (json.value = event.currentTarget.value)}
            rows={8}
            spellcheck={false}
            value={json.value}
          />
          {problems.value[''] && <span class="field-error">{problems.value['']}</span>}
        </label>
      ) : (
        properties.map(([name, field]) => (
          <Field
            field={field}
            isRequired={required.includes(name)}
            key={name}
            name={name}
            onChange={text => set(name, text)}
            problem={problems.value[name]}
            text={texts.value[name]}
          />
        ))
      )}
      {properties.length === 0 && !isJson.value && <p class="muted">{t.noFields}</p>}
      <div class="row wrap">
        <Button disabled={isBusy} icon="play" kind="primary" type="submit">
          {action}
        </Button>
        {onCancel && <Button onClick={onCancel}>{strings.value.app.cancel}</Button>}
        <Button kind="quiet" onClick={switchMode}>
          {isJson.value ? t.asForm : t.asJson}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  name: string;
  field: Schema;
  isRequired: boolean;
  text: string | undefined;
  problem: string | undefined;
  onChange: (text: string | undefined) => void;
}

function Field({ name, field, isRequired, text, problem, onChange }: FieldProps) {
  const t = strings.value.form;
  const kind = kindOf(field);
  const describedBy = `about-${name}`;
  const choices = choicesOf(field);
  const common = { 'aria-describedby': describedBy, 'aria-invalid': problem !== undefined, value: text ?? '' };
  return (
    <label class="field">
      <span class="row wrap">
        <span class="field-label mono">{name}</span>
        <span class="muted small">{isRequired ? `${kind}, ${t.requiredMark}` : kind}</span>
      </span>
      {choices ? (
        <select {...common} class="select" onChange={event => onChange(event.currentTarget.value || undefined)}>
          <option value="">{t.none}</option>
          {choices.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === 'object' || kind === 'array' || kind === 'any' ? (
        <textarea
          {...common}
          class="textarea"
          onInput={event => onChange(event.currentTarget.value)}
          placeholder={kind === 'array' ? '[ … ]' : '{ … }'}
          spellcheck={false}
        />
      ) : kind === 'string' ? (
        <textarea
          {...common}
          class="textarea textarea-line"
          onInput={event => onChange(event.currentTarget.value)}
          rows={(text ?? '').includes('\n') ? 6 : 1}
          spellcheck={false}
        />
      ) : (
        <input {...common} class="input" inputMode="decimal" onInput={event => onChange(event.currentTarget.value)} />
      )}
      <span class="muted small" id={describedBy}>
        {typeof field.description === 'string' ? field.description.slice(0, 500) : ''}
      </span>
      {problem && <span class="field-error">{problem}</span>}
    </label>
  );
}

/** The kind of value that a schema asks for; of several, the first that is not null. */
export function kindOf(field: Schema): string {
  const types = [field.type].flat().filter((type): type is string => typeof type === 'string' && type !== 'null');
  return types[0] ?? (choicesOf(field) ? 'string' : 'any');
}

function choicesOf(field: Schema): string[] | undefined {
  if (field.type === 'boolean') return ['true', 'false'];
  const values = Array.isArray(field.enum) ? field.enum : undefined;
  return values?.map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
}

function fromText(field: Schema, text: string): { value: unknown } | undefined {
  const kind = kindOf(field);
  if (kind === 'string') return { value: text };
  try {
    const value: unknown = JSON.parse(text);
    return isOfKind(value, kind) ? { value } : undefined;
  } catch {
    return kind === 'any' ? { value: text } : undefined;
  }
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'array') return Array.isArray(value);
  return kind === 'any' || typeof value === kind;
}

function toTexts(value: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    typeof field === 'string' ? field : JSON.stringify(field),
  ]);
  return Object.fromEntries(entries);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
