import { describe, expect, test } from 'vitest';
import { eventually } from './office.ts';
import { eras, openPublishing } from './publishing.ts';

describe.each(eras)('a window of a server of the %s era', era => {
  test('reaches the Agent, and so does its change', async () => {
    await using office = await openPublishing({ app: { windows: 2 } }, { era });
    expect(office.computer.status()).toMatchObject([{ state: 'ready', era }]);
    expect(await office.desktop()).toEqual([
      'window://com.example.app/0\n\ntext of window://com.example.app/0',
      'window://com.example.app/1\n\ntext of window://com.example.app/1',
    ]);
    expect(office.told).toEqual({ desktop: 0, finder: 0 });
    await office.callTool('write', { uri: 'window://com.example.app/1', text: 'fresh' });
    await eventually(() => expect(office.told).toEqual({ desktop: 1, finder: 0 }));
    expect(await office.desktop()).toContain('window://com.example.app/1\n\nfresh');
  });
});
