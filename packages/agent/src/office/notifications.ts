import type { Logger } from '@a2c-smcp/core';
import type { Channel } from '@a2c-smcp/peer';
import { type NotificationOf, type NotifyEvent, notifyEvents } from '@a2c-smcp/protocol';
import type { OfficeView } from './office-view.ts';

/** Keeps the picture of the office current with what the Server tells. */
export function followOffice(channel: Channel, view: OfficeView, logger: Logger): void {
  const listen = <E extends NotifyEvent>(event: E, react: (payload: NotificationOf<E>) => void) => {
    channel.on(event, (payload: unknown) => {
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
