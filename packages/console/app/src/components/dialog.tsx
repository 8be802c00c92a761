import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';
import { Button } from './basics.tsx';

export interface DialogProps {
  title: string;
  onClose: () => void;
  class?: string;
  children: ComponentChildren;
}

/** A dialog of the browser: it keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, class: extra = '', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    return () => element.current?.close();
  }, []);
  return (
    <dialog
      aria-label={title}
      class={`dialog ${extra}`}
      onCancel={event => {
        event.preventDefault();
        onClose();
      }}
      onClick={event => {
        if (event.target === element.current) onClose();
      }}
      ref={element}
    >
      {children}
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  text: ComponentChildren;
  action: string;
  isDangerous?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone, or that lasts. */
export function Confirm({ title, text, action, isDangerous = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <div class="dialog-body">
        <h2>{title}</h2>
        <div class="secondary">{text}</div>
        <div class="dialog-actions">
          <Button onClick={onClose}>{strings.value.app.cancel}</Button>
          <Button
            kind={isDangerous ? 'danger' : 'primary'}
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
