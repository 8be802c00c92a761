/** Paths of 24 × 24 outlines. */
const PATHS = {
  home: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9',
  bell: 'M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15zM10 20.5h4',
  activity: 'M3 12h4l3 7 4-14 3 7h4',
  server: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  tool: 'M14.5 6.5a4 4 0 0 0-5.2 5.2L4 17l3 3 5.3-5.3a4 4 0 0 0 5.2-5.2l-2.5 2.5-2.5-.5-.5-2.5z',
  key: 'M11.5 12.5 20 4M16.5 7.5l2.5 2.5M14 10l2 2M12.5 16a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0',
  desktop: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
  shield: 'M12 3.5 19 6v5.5c0 4.3-2.9 7.4-7 9-4.1-1.6-7-4.7-7-9V6zM9 12l2.2 2.2L15.2 10',
  pin: 'M9 4h6l-1 6 3 3v1.5H7V13l3-3zM12 14.5V20',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7.5 14.5v5',
  search: 'm20 20-4.5-4.5M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  plus: 'M12 5v14M5 12h14',
  play: 'M8 5.5v13l10-6.5z',
  stop: 'M7 7h10v10H7z',
  restart: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 12.5h9l1-12.5',
  alert: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01',
  check: 'M5 12.5 10 17.5 19.5 7',
  info: 'M12 11v5.5M12 7.5h.01M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10',
  globe: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0M3.5 12h17M12 3.5c5 5.5 5 11.5 0 17M12 3.5c-5 5.5-5 11.5 0 17',
  external: 'M14 4.5h5.5V10M19 5l-8 8M17 14v5.5H4.5V7H10',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zM13.5 4v4.5H18',
  users: 'M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M5 20c.5-4 3.2-6 7-6s6.5 2 7 6',
  gauge: 'M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a text, which says the same; alone it needs a label on its button. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height={size}
      stroke="currentColor"
      stroke-linecap="round"
      stroke-linejoin="round"
      stroke-width="1.7"
      viewBox="0 0 24 24"
      width={size}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
