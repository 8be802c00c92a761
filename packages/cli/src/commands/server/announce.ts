import type { World } from '../../command.ts';
import { invitationLines, type Place, reachableUrl } from './invitation.ts';
import type { ServerPlan } from './plan.ts';
import { certificateNames } from './tls.ts';

type Screen = Pick<World, 'print' | 'note' | 'style' | 'terminal'>;

/** Where a Server can be reached. */
export function placeOf(url: string, { host, allowedHosts = [], tls }: ServerPlan['settings']): Place {
  return { url, host, names: [...allowedHosts, ...(tls ? certificateNames(tls.cert) : [])] };
}

export function announceAddress({ url }: Place, { print }: Screen): void {
  print(`Server on ${url}`);
}

/** Says with which credentials clients connect, and from where. */
export function announceKeys(
  place: Place,
  { settings: { keys = [], jwt, allowAnonymous }, newKey }: ServerPlan,
  { print, note, style, terminal }: Screen,
): void {
  if (newKey !== undefined) {
    print(`Key ${newKey}`);
    for (const line of invitationLines(place, newKey)) print(line);
  } else if (terminal && reachableUrl(place) !== place.url) {
    note(style.dim(`Other machines reach it at ${reachableUrl(place)}`));
  }
  if (keys.length === 0 && !jwt && !allowAnonymous)
    note(style.dim('No credentials are asked for: only this machine may connect.'));
}

export function announceEnd({ note, style }: Screen): void {
  note(style.dim('Ending: calls in flight may finish. Ctrl-C again ends at once.'));
}
