import type { ComponentChildren } from 'preact';
import type { Tone } from './components/basics.tsx';
import type { IconName } from './components/icon.tsx';
import type { Command } from './components/palette.tsx';
import type { StreamTopics } from './stream/store.ts';

export interface NavItem {
  /** The first part of its routes. */
  route: string;
  title: string;
  icon: IconName;
  /** The number of items that need attention there; 0 shows nothing. */
  count?: number;
  /** The number of items in progress there; 0 shows nothing. */
  running?: number;
}

export interface NavGroup {
  title?: string;
  items: readonly NavItem[];
}

/** A kind of console: the screens of the owner of a Computer, or of the operator of a Server. */
export interface Surface {
  /** Whose console it is, and how that is connected. */
  identity(): { name: string; line: string; tone: Tone };
  nav(): readonly NavGroup[];
  /** The screen of a route; undefined when there is none. */
  screen(route: readonly string[]): ComponentChildren | undefined;
  /** Shown above the screen of a route. */
  notice?(route: readonly string[]): ComponentChildren | undefined;
  /** Shown over every screen. */
  overlay?(): ComponentChildren | undefined;
  /** Commands of the palette besides the screens. */
  commands(): readonly Command[];
  /** How many things wait for the person, for the title of the page. */
  waiting(): number;
  topics: StreamTopics;
  /** Called once, when the surface is shown. */
  start?(): void;
}
