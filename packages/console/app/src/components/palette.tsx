import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { strings } from '../strings.ts';
import { Dialog } from './dialog.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Something that can be done or opened by typing its name. */
export interface Command {
  id: string;
  title: string;
  /** The group it belongs to, beside its title. */
  hint?: string;
  icon: IconName;
  run: () => void;
}

export const isPaletteOpen = signal(false);
const MAX_SHOWN = 50;

/** Opens the palette with Ctrl-K or Cmd-K, and puts the cursor into the search field of a screen with /. */
export function usePaletteKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.value = !isPaletteOpen.value;
      } else if (event.key === '/' && !isTyping) {
        const search = document.querySelector<HTMLInputElement>('[data-search]');
        if (search) event.preventDefault();
        search?.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Every screen, and what the surface offers, found by a few letters. */
export function Palette({ commands }: { commands: () => readonly Command[] }) {
  const query = useSignal('');
  const chosen = useSignal(0);
  const list = useRef<HTMLUListElement>(null);
  const t = strings.value.palette;
  const close = () => {
    isPaletteOpen.value = false;
  };
  const found = matching(commands(), query.value).slice(0, MAX_SHOWN);
  const index = Math.min(chosen.value, Math.max(0, found.length - 1));
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  const run = (command: Command | undefined) => {
    close();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      chosen.value = (index + step + found.length) % Math.max(1, found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[index]);
    }
  };
  return (
    <Dialog class="palette" onClose={close} title={t.title}>
      <input
        aria-activedescendant={found[index] && `command-${index}`}
        aria-autocomplete="list"
        aria-controls="palette-list"
        aria-expanded="true"
        aria-label={t.title}
        class="palette-input"
        onInput={event => {
          query.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
        placeholder={t.placeholder}
        role="combobox"
        value={query.value}
      />
      <ul aria-label={t.title} class="palette-list" id="palette-list" ref={list} role="listbox">
        {found.map((command, place) => (
          <li
            aria-selected={place === index}
            class="palette-item"
            id={`command-${place}`}
            key={command.id}
            onClick={() => run(command)}
            role="option"
          >
            <Icon name={command.icon} size={16} />
            <span class="grow truncate">{command.title}</span>
            {command.hint !== undefined && <span class="muted small truncate">{command.hint}</span>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="card-body muted">{t.nothing}</p>}
    </Dialog>
  );
}

/** Commands that have every typed word, those that begin with the first one first. */
function matching(commands: readonly Command[], query: string): Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [start = ''] = words;
  const found = commands.filter(({ title, hint = '' }) => {
    const text = `${title} ${hint}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  const rank = ({ title }: Command) => (title.toLowerCase().startsWith(start) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
