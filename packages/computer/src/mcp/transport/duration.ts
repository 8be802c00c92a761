const PATTERN = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO 8601 duration of days, hours, minutes and seconds, as in `PT1M30S`; else undefined. */
export function parseDuration(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (!match || text.endsWith('T') || text === 'P') return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map(part => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
