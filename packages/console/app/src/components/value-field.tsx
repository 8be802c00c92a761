import { strings } from '../strings.ts';

export interface ValueFieldProps {
  /** Choices; without them any text is taken. */
  options?: readonly { value: string; label: string }[] | undefined;
  isSecret: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** The field for the value of an input. */
export function ValueField({ options, isSecret, value, onChange }: ValueFieldProps) {
  if (options) {
    return (
      <select class="select" onChange={event => onChange(event.currentTarget.value)} required value={value}>
        <option value="">{strings.value.form.none}</option>
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  const onInput = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (isSecret)
    return <input autoComplete="off" class="input" onInput={onInput} required type="password" value={value} />;
  return <input autoComplete="off" class="input" onInput={onInput} required value={value} />;
}
