import { language } from './strings.ts';

/** Bytes for people, as in `12.4 MB`. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, count < 1000 ? 0 : Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** power;
  return `${value.toLocaleString(language.value, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

export function number(value: number): string {
  return value.toLocaleString(language.value);
}

/** A duration for people, as in `840 ms`, `12.4 s` or `3 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60)
    return `${seconds.toLocaleString(language.value, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time of day; of another day the date, too. */
export function time(at: number | string, now = Date.now()): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const day = isToday ? {} : ({ month: 'short', day: 'numeric' } as const);
  return date.toLocaleString(language.value, { ...day, ...clock });
}
