import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { issueAddress } from './api.ts';
import { Button, Empty } from './components/basics.tsx';
import { Icon } from './components/icon.tsx';
import { type Command, isPaletteOpen, Palette, usePaletteKeys } from './components/palette.tsx';
import { go, href, route } from './router.ts';
import { isOnline } from './stream/store.ts';
import { LANGUAGES, type Language, language, strings } from './strings.ts';
import type { NavItem, Surface } from './surface.ts';
import { isDark, theme } from './theme.ts';
import { attempt, dismiss, toasts } from './toasts.ts';

/** The frame of all screens: navigation, the state of the connection, the palette. */
export function Shell({ surface }: { surface: Surface }) {
  const isMenuOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const t = strings.value;
  const [first = 'overview'] = route.value;
  const here = route.value.join('/');
  const { name, line, tone } = surface.identity();
  const items = surface.nav().flatMap(group => group.items);
  const title = items.find(item => item.route === first)?.title ?? t.app.title;
  const waiting = surface.waiting();
  usePaletteKeys();
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${name}`;
  }, [title, name, waiting]);
  // Screen readers and keyboards continue at the new screen.
  useEffect(() => {
    isMenuOpen.value = false;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest('.sidebar'))
      main.current?.querySelector('h1')?.focus();
  }, [first]);
  return (
    <div class="shell">
      <header class="topbar">
        <Button icon="menu" kind="quiet" label={t.app.menu} onClick={() => (isMenuOpen.value = true)} />
        <span class={`dot dot-${tone}`} />
        <strong class="truncate grow">{name}</strong>
        <Button icon="search" kind="quiet" label={t.palette.title} onClick={() => (isPaletteOpen.value = true)} />
      </header>
      {isMenuOpen.value && (
        <button
          aria-label={t.app.close}
          class="sidebar-scrim"
          onClick={() => (isMenuOpen.value = false)}
          type="button"
        />
      )}
      <nav aria-label={t.app.navigation} class={`sidebar ${isMenuOpen.value ? 'sidebar-open' : ''}`}>
        <div class="identity">
          <span class="identity-mark">
            <Icon name="desktop" size={20} />
          </span>
          <div class="grow">
            <div class="identity-name truncate" title={name}>
              {name}
            </div>
            <div class="row small muted">
              <span class={`dot dot-${tone}`} />
              <span class="truncate" title={line}>
                {line}
              </span>
            </div>
          </div>
        </div>
        <button class="button" onClick={() => (isPaletteOpen.value = true)} type="button">
          <Icon name="search" size={16} />
          <span class="grow muted truncate palette-hint">{t.palette.open}</span>
          <kbd class="kbd">{t.palette.key}</kbd>
        </button>
        {surface.nav().map((group, index) => (
          <div class="nav-group" key={group.title ?? index}>
            {group.title !== undefined && <h2 class="nav-title">{group.title}</h2>}
            <ul class="nav-list">
              {group.items.map(item => (
                <NavLink isHere={item.route === first} item={item} key={item.route} />
              ))}
            </ul>
          </div>
        ))}
        <Preferences />
      </nav>
      <main class="main" ref={main}>
        {!isOnline.value && (
          <div class="banner" role="status">
            <Icon name="alert" size={16} />
            {t.app.away}
          </div>
        )}
        {surface.notice?.(route.value)}
        {surface.screen(route.value) ?? (
          <Empty icon="search" title={t.app.noScreen}>
            <p class="mono">{here}</p>
          </Empty>
        )}
      </main>
      {surface.overlay?.()}
      {isPaletteOpen.value && <Palette commands={() => [...screenCommands(items), ...surface.commands()]} />}
      <Toasts />
    </div>
  );
}

function NavLink({ item, isHere }: { item: NavItem; isHere: boolean }) {
  const { count = 0, running = 0 } = item;
  return (
    <li>
      <a aria-current={isHere ? 'page' : undefined} class="nav-link" href={href(item.route)}>
        <Icon name={item.icon} />
        <span>{item.title}</span>
        {count > 0 && <span class="count number">{count}</span>}
        {running > 0 && <span class="count count-running number">{running}</span>}
      </a>
    </li>
  );
}

/** Theme and language. */
function Preferences() {
  const t = strings.value.preferences;
  return (
    <div class="sidebar-foot">
      <Button
        icon={isDark.value ? 'sun' : 'moon'}
        kind="quiet"
        label={isDark.value ? t.light : t.dark}
        onClick={() => (theme.value = isDark.value ? 'light' : 'dark')}
      />
      <select
        aria-label={t.language}
        class="select grow"
        onChange={event => (language.value = event.currentTarget.value as Language)}
        value={language.value}
      >
        {Object.entries(LANGUAGES).map(([key, title]) => (
          <option key={key} lang={key} value={key}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

function screenCommands(items: readonly NavItem[]): Command[] {
  const t = strings.value;
  return [
    ...items.map(({ route, title, icon }) => ({ id: `go:${route}`, title, icon, run: () => go(route) })),
    {
      id: 'theme',
      title: t.preferences.switchTheme,
      icon: 'moon',
      run: () => (theme.value = isDark.value ? 'light' : 'dark'),
    },
    {
      id: 'address',
      title: t.palette.address,
      icon: 'external',
      run: () => void attempt(async () => navigator.clipboard.writeText(await issueAddress()), t.palette.addressCopied),
    },
    {
      id: 'language',
      title: language.value === 'en' ? '切换到简体中文' : 'Switch to English',
      icon: 'globe',
      run: () => (language.value = language.value === 'en' ? 'zh-CN' : 'en'),
    },
  ];
}

function Toasts() {
  const t = strings.value.app;
  return (
    <div aria-live="polite" class="toasts">
      {toasts.value.map(({ id, text, isError }) => (
        <div class="toast" key={id}>
          <Icon name={isError ? 'alert' : 'check'} />
          <span class="grow">{text}</span>
          <Button icon="close" kind="quiet" label={t.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
