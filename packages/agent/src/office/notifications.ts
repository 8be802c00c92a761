import type { Logger } from '@a2c-smcp/core';
import type { PeerSocket } from '@a2c-smcp/peer';
import { type NotificationOf, type NotifyEvent, notifyEvents } from '@a2c-smcp/protocol';
import type { OfficeView } from './office-view.ts';

/** Keeps the picture of the office current with what the Server tells. */
export function followOffice(socket: PeerSocket, view: OfficeView, logger: Logger): void {
  const listen = <E extends NotifyEvent>(event: E, react: (payload: NotificationOf<E>) => void) => {
    // The compiler cannot tell that each notification goes with its listener.
    const raw = socket as { on(event: string, listener: (payload: unknown) => void): unknown };
    raw.on(event, payload => {
      const parsed = notifyEvents[event].safeParse(payload);
      if (parsed.success) react(parsed.data as NotificationOf<E>);
      else logger.warn('A malformed notification was ignored', { event });
    });
  };
  listen('notify:enter_office', ({ computer }) => computer && void view.enter(computer));
  listen('notify:leave_office', ({ computer }) => computer && view.leave(computer));
  listen('notify:update_tool_list', ({ computer }) => view.changed(computer, ['tools']));
  listen('notify:update_config', ({ computer }) => view.changed(computer, ['config', 'tools']));
  listen('notify:update_desktop', ({ computer }) => view.changed(computer, ['desktop']));
  listen('notify:update_finder', ({ computer }) => view.changed(computer, ['finder']));
}
