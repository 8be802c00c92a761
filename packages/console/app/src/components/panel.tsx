import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { href } from '../router.ts';
import { strings } from '../strings.ts';
import { Failure, Loading } from './basics.tsx';
import { Icon } from './icon.tsx';

export interface PanelProps {
  title: ComponentChildren;
  /** The route of the list it was opened from. */
  back: string;
  badges?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The chosen item of a list, beside it; on narrow screens, instead of it. */
export function Panel({ title, back, badges, actions, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // On a narrow screen the list, which had the focus, is gone.
  useEffect(() => {
    if (matchMedia('(max-width: 900px)').matches) heading.current?.focus();
  }, []);
  return (
    <section class="card detail">
      <div class="card-head panel-head">
        <div class="row grow">
          <a
            aria-label={strings.value.app.back}
            class="button button-quiet button-icon"
            href={href(back)}
            title={strings.value.app.close}
          >
            <span class="only-narrow">
              <Icon name="back" size={16} />
            </span>
            <span class="only-wide">
              <Icon name="close" size={16} />
            </span>
          </a>
          <h2 class="truncate" ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {badges}
        </div>
        {actions !== undefined && <div class="row wrap">{actions}</div>}
      </div>
      <div class="card-body stack stack-wide">{children}</div>
    </section>
  );
}

/** The placeholder of a panel while its contents load, or if loading failed. */
export function PanelPlaceholder({ error, retry }: { error: Error | undefined; retry: () => void }) {
  return <div class="card">{error ? <Failure error={error} retry={retry} /> : <Loading />}</div>;
}
