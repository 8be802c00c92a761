import { expect } from 'vitest';
import { verifies } from '../conformance/verifies.ts';
import { eventually, type Log, recordingLogger, stateOf } from './office.ts';
import { openPublishing } from './publishing.ts';

const about = (logger: Log, text: string) =>
  logger.lines.filter(({ level, message }) => level === 'warn' && message.includes(text)).map(({ fields }) => fields);

verifies('hosts.clash', async () => {
  const logger = recordingLogger();
  await using office = await openPublishing(
    {
      one: { windows: 1, host: 'com.example.shared' },
      two: { documents: 2, host: 'com.example.shared' },
      three: { windows: 1, host: 'com.example.own' },
    },
    { logger },
  );
  const clash = { host: 'com.example.shared', first: 'one', second: 'two' };
  await eventually(() => expect(about(logger, 'one host')).toEqual([clash]));
  for (const name of ['one', 'two', 'three']) expect(stateOf(office.computer, name)).toBe('ready');
  for (let pull = 0; pull < 3; pull++) expect(await office.desktop()).toHaveLength(2);
  await office.callTool('publish', { resources: [{ uri: 'window://com.example.own' }] });
  await eventually(() => expect(about(logger, 'one host')).toHaveLength(2));
  expect(about(logger, 'one host')[1]).toEqual({ host: 'com.example.own', first: 'one', second: 'three' });
});

verifies('hosts.style', async () => {
  const logger = recordingLogger();
  const uris = [
    'window://com.example.app/a',
    'window://Editor/a',
    'window://Editor/b',
    'dpe://my-docs/x',
    'dpe://Com.Example/x',
  ];
  await using office = await openPublishing({ app: { resources: uris.map(uri => ({ uri })) } }, { logger });
  expect(about(logger, 'lower-case')).toEqual([
    { mcp_server: 'app', host: 'Editor' },
    { mcp_server: 'app', host: 'my-docs' },
    { mcp_server: 'app', host: 'Com.Example' },
  ]);
  expect(await office.desktop()).toHaveLength(3);
});
