import { type Checks, expect } from '../../check.ts';
import type { ComputerStage } from '../../stages/computer-stage.ts';
import { MUTE_WINDOW, RESOURCES, STAGE, WINDOWS } from '../../stages/fixture.ts';

/** Windows of MCP servers. */
export const desktop: Checks<ComputerStage> = {
  'event.client.get-desktop': async stage => {
    const { desktops } = await stage.ask('client:get_desktop');
    expect(Array.isArray(desktops) && desktops.length > 0, 'a list of windows', desktops);
  },
  'render.text': async stage => {
    const shown = (await windows(stage)).find(window => window.startsWith(WINDOWS.high));
    const wanted = `${WINDOWS.high}\n\ntext of ${WINDOWS.high}`;
    expect(shown === wanted, 'the URI, a blank line and the text', shown);
  },
  'desktop.gate': async stage => {
    const all = await windows(stage);
    const isShown = all.some(window => window.startsWith(MUTE_WINDOW));
    expect(!isShown, 'no window of an MCP server without resources.subscribe', all);
  },
  'desktop.filter.unreadable': async stage => {
    const all = await windows(stage);
    const isShown = all.some(window => window.startsWith(WINDOWS.unreadable));
    expect(!isShown && all.length > 0, 'the others without the one that cannot be read', all);
  },
  'desktop.order.priority': async stage => {
    const [high, low] = (await windows(stage)).filter(window => window.includes('com.example.fixture'));
    const isOrdered = high?.startsWith(WINDOWS.high) === true && low?.startsWith(WINDOWS.low) === true;
    expect(isOrdered, 'the window of priority 0.9 before that of 0.2', [high, low]);
  },
  'desktop.fullscreen.first': async stage => {
    const shown = (await windows(stage)).filter(window => window.includes('com.example.stage'));
    const isIt = shown.length === 1 && shown[0]?.startsWith(STAGE.full) === true;
    expect(isIt, 'the fullscreen window as the only one of its MCP server', shown);
  },
  'desktop.size.limit': async stage => {
    const one = await windows(stage, { desktop_size: 1 });
    expect(one.length === 1, 'one window', one);
  },
  'desktop.size.zero': async stage => {
    const none = await windows(stage, { desktop_size: 0 });
    expect(none.length === 0, 'no window', none);
  },
  'desktop.window.exact': async stage => {
    const shown = await windows(stage, { window: WINDOWS.low });
    const isIt = shown.length === 1 && shown[0]?.startsWith(WINDOWS.low) === true;
    expect(isIt, 'the window that was asked for', shown);
  },
  'desktop.window.first': async stage => {
    const none = await windows(stage, { window: 'window://com.example.nowhere/at-all' });
    expect(none.length === 0, 'an empty list for a window that is not there', none);
  },
  'desktop-change.updated': async stage => {
    const member = await stage.computer();
    const mark = member.mark;
    await stage.call('touch', { uri: WINDOWS.low });
    const signal = (await member.next('server:update_desktop', mark)) as { computer?: unknown } | undefined;
    expect(signal?.computer === stage.start.name, 'the name of the Computer', signal);
  },
  'desktop-change.list': async stage => {
    const member = await stage.computer();
    const mark = member.mark;
    const added = { uri: 'window://com.example.fixture/added', name: 'added' };
    await stage.call('relist', { resources: [...RESOURCES, added] });
    await member.next('server:update_desktop', mark);
  },
};

async function windows(stage: ComputerStage, fields: object = {}): Promise<string[]> {
  const answer = await stage.ask('client:get_desktop', fields);
  expect(Array.isArray(answer.desktops), 'a list of windows', answer);
  return answer.desktops as string[];
}
