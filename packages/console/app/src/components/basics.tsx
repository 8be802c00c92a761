import type { ComponentChildren } from 'preact';
import { strings } from '../strings.ts';
import { messageOf } from '../use.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'plain';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

export interface ButtonProps {
  onClick?: () => void;
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  /** The label of a button that shows its icon alone. */
  label?: string;
  disabled?: boolean;
  type?: 'button' | 'submit';
  children?: ComponentChildren;
}

export function Button({
  onClick,
  kind = 'plain',
  icon,
  label,
  disabled = false,
  type = 'button',
  children,
}: ButtonProps) {
  const shape = children === undefined ? 'button-icon' : '';
  return (
    <button
      aria-label={label}
      class={`button button-${kind} ${shape}`}
      disabled={disabled}
      onClick={onClick}
      title={label}
      type={type}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

export interface ScreenProps {
  title: string;
  /** The purpose of the screen, in a sentence. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** True if a list on it scrolls, instead of the whole screen. */
  fills?: boolean;
  /** True if something of the list is open beside it; on narrow screens, instead of it. */
  isOpen?: boolean;
  children: ComponentChildren;
}

/** A screen with its heading. */
export function Screen({ title, lead, actions, fills = false, isOpen = false, children }: ScreenProps) {
  const head = (
    <header class="screen-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      {actions !== undefined && <div class="toolbar">{actions}</div>}
    </header>
  );
  if (fills) {
    return (
      <div class={`screen screen-fill ${isOpen ? 'screen-open' : ''}`}>
        {head}
        {children}
      </div>
    );
  }
  return (
    <div class="screen">
      <div class="screen-inner">
        {head}
        {children}
      </div>
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  title?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card">
      {title !== undefined && (
        <div class="card-head">
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Notice({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'warn' | 'danger';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice notice-${tone}`}>
      <Icon name={tone === 'plain' ? 'info' : 'alert'} size={16} />
      <div class="grow">{children}</div>
    </div>
  );
}

/** The shape of lines that are not there yet. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div aria-busy="true" class="card-body stack" role="status">
      <span class="visually-hidden">{strings.value.app.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div class="skeleton" key={line} style={{ width: `${90 - ((line * 23) % 50)}%` }} />
      ))}
    </div>
  );
}

export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const t = strings.value.app;
  return (
    <div class="card-body" role="alert">
      <Notice tone="danger">
        <div class="row wrap spread">
          <span>{messageOf(error, t.offline)}</span>
          {retry && <Button onClick={retry}>{t.retry}</Button>}
        </div>
      </Notice>
    </div>
  );
}

export function Search({ value, onInput, label }: { value: string; onInput: (value: string) => void; label: string }) {
  return (
    <div class="search">
      <Icon name="search" size={16} />
      <input
        aria-label={label}
        class="input"
        data-search
        onInput={event => onInput(event.currentTarget.value)}
        placeholder={label}
        type="search"
        value={value}
      />
    </div>
  );
}
