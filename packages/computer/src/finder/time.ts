const ISO_8601 =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<minutes>\d\d:\d\d)(?<seconds>:\d\d)?(?:[.,](?<fraction>\d+))?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * An ISO 8601 date or date and time as milliseconds since 1970, with fractions of them. Without a zone it is UTC, so
 * that no order depends on where a machine stands. Undefined when it is something else.
 */
export function timeOf(text: string): number | undefined {
  const { date, minutes = '00:00', seconds = ':00', fraction = '0', zone = 'Z' } = ISO_8601.exec(text)?.groups ?? {};
  if (date === undefined) return undefined;
  const time = Date.parse(`${date}T${minutes}${seconds}${zone.toUpperCase()}`) + Number(`0.${fraction}`) * 1000;
  return Number.isNaN(time) ? undefined : time;
}
