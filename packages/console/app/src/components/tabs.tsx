import type { ComponentChildren } from 'preact';

export interface Tab {
  id: string;
  title: ComponentChildren;
}

/** Tabs above one panel; the arrow keys move between them. */
export function Tabs({
  tabs,
  selected,
  onSelect,
  label,
  children,
}: {
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
  label: string;
  children: ComponentChildren;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const index = tabs.findIndex(({ id }) => id === selected) + step;
    const next = tabs[(index + tabs.length) % tabs.length];
    if (!next) return;
    onSelect(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div aria-label={label} class="tabs" onKeyDown={onKeyDown} role="tablist">
        {tabs.map(({ id, title }) => (
          <button
            aria-controls="tab-panel"
            aria-selected={id === selected}
            class="tab"
            id={`tab-${id}`}
            key={id}
            onClick={() => onSelect(id)}
            role="tab"
            tabIndex={id === selected ? 0 : -1}
            type="button"
          >
            {title}
          </button>
        ))}
      </div>
      <div aria-labelledby={`tab-${selected}`} class="tab-panel" id="tab-panel" role="tabpanel">
        {children}
      </div>
    </>
  );
}
