import { expect, test } from 'vitest';
import { CommandReader, type Reply, writeReply } from './resp.ts';

function read(chunks: readonly (string | Buffer)[]): string[][] {
  const commands: string[][] = [];
  const reader = new CommandReader(args => commands.push(args.map(String)));
  for (const chunk of chunks) reader.read(Buffer.from(chunk));
  return commands;
}

const text = '*2\r\n$4\r\nPING\r\n$6\r\na\r\n世\r\n*1\r\n$0\r\n\r\n';

test('commands are read from chunks of any size', () => {
  const bytes = Buffer.from(text);
  const expected = [['PING', 'a\r\n世'], ['']];
  expect(read([text])).toEqual(expected);
  expect(read([...bytes].map(byte => Buffer.of(byte)))).toEqual(expected);
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
  }
});

test.each(['PING\r\n', '*x\r\n', '*1\r\n+OK\r\n', '*1\r\n$99999999999\r\n', '*123456789012345'])(
  'what is no command is refused: %j',
  input => {
    expect(() => read([input])).toThrow(SyntaxError);
  },
);

test('replies have the form that Redis gives them', () => {
  const reply: Reply = [1, 'a世', Buffer.from('b'), null, [], { status: 'OK' }, { error: 'ERR no' }];
  const chunks: (string | Buffer)[] = [];
  writeReply(reply, chunk => chunks.push(chunk));
  const written = '*7\r\n:1\r\n$4\r\na世\r\n$1\r\nb\r\n$-1\r\n*0\r\n+OK\r\n-ERR no\r\n';
  expect(Buffer.concat(chunks.map(chunk => Buffer.from(chunk))).toString()).toBe(written);
});
