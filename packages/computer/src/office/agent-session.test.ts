import { Interruption, silentLogger } from '@a2c-smcp/core';
import { ErrorCode, type SessionInfo, SmcpError } from '@a2c-smcp/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ABANDONED } from '../tools/call-scope.ts';
import { AgentSession } from './agent-session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const agent = (session_id?: string): SessionInfo => ({ role: 'agent', name: 'a', session_id });
const notice = (session_id?: string) => ({ office_id: 'o', agent: 'a', session_id });

/** A session in an office whose members are `members`; they can be changed. */
function open(...members: SessionInfo[]) {
  const office: { members: SessionInfo[] | Error } = { members };
  const list = async () => {
    if (office.members instanceof Error) throw office.members;
    return office.members;
  };
  return { office, session: new AgentSession({ list, logger: silentLogger }) };
}

/** Adds a call that never ends, and returns its signal. */
async function hang(session: AgentSession): Promise<AbortSignal> {
  const abort = new Interruption();
  void (await session.scope).once({ agent: 'a', reqId: 'r' }, () => ({ abort, result: new Promise(() => {}) }));
  return abort.signal;
}

async function reconnect(session: AgentSession): Promise<void> {
  session.lost();
  await session.joined();
}

describe('the scope of calls', () => {
  test.each<[string, SessionInfo[], boolean]>([
    ['the same Agent', [agent('x')], true],
    ['another Agent', [agent('y')], false],
    ['an Agent whose session is not named', [agent()], false],
    ['no Agent', [], true],
  ])('after a reconnect that finds %s the scope of calls is kept: %4$s', async (_, found, isKept) => {
    const { office, session } = open(agent('x'));
    await session.joined();
    const before = await session.scope;
    office.members = found;
    await reconnect(session);
    expect((await session.scope) === before).toBe(isKept);
  });

  test('the scope of calls is replaced after a reconnect when the office cannot be listed', async () => {
    const { office, session } = open(agent('x'));
    await session.joined();
    const before = await session.scope;
    office.members = new SmcpError(ErrorCode.Timeout, 'no answer');
    await reconnect(session);
    expect(await session.scope).not.toBe(before);
  });

  test('the scope of calls is replaced after a reconnect when the session was never named', async () => {
    const { session } = open(agent());
    await session.joined();
    const before = await session.scope;
    await reconnect(session);
    expect(await session.scope).not.toBe(before);
  });

  test('a notification that is newer than the list decides on the scope of calls', async () => {
    const { session } = open(agent('x'));
    await session.joined();
    const before = await session.scope;
    session.lost();
    const joined = session.joined();
    session.entered(notice('y'));
    await joined;
    expect(await session.scope).not.toBe(before);
    session.left(notice('y'));
    session.entered(notice('y'));
    const kept = await session.scope;
    session.entered(notice('x'));
    expect(await session.scope).not.toBe(kept);
  });

  test('the scope of calls is pending while the connection is lost, and resolves when the Computer leaves', async () => {
    const { session } = open(agent('x'));
    session.lost();
    const scope = session.scope;
    expect(scope).toBeInstanceOf(Promise);
    session.end();
    await scope;
  });
});

describe('a pending call', () => {
  test('a pending call is abandoned when its Agent stays away, and not when it returns in time', async () => {
    const { session } = open(agent('x'));
    await session.joined();
    const call = await hang(session);
    session.left(notice('x'));
    vi.advanceTimersByTime(29_000);
    session.entered(notice('x'));
    vi.advanceTimersByTime(60_000);
    expect(call.reason).toBeUndefined();
    session.left(notice('x'));
    vi.advanceTimersByTime(30_000);
    expect(call.reason).toBe(ABANDONED);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a pending call is abandoned at once when another Agent enters', async () => {
    const { session } = open(agent('x'));
    await session.joined();
    const call = await hang(session);
    session.left(notice('x'));
    session.entered(notice('y'));
    expect(call.reason).toBe(ABANDONED);
  });
});

describe('the dialect of the Agent', () => {
  const speaking = (a2c_version?: string): SessionInfo => ({ ...agent('x'), a2c_version });
  const desk: SessionInfo = { role: 'computer', name: 'desk', a2c_version: '0.4.0' };

  test.each<[string, SessionInfo[], string | undefined, string]>([
    ['an Agent of 0.2', [speaking('0.2.0'), desk], '0.4.0', 'plain'],
    ['an Agent of 0.4', [speaking('0.4.1'), desk], '0.4.0', 'bundled'],
    ['an Agent without a version', [speaking(), desk], '0.4.0', 'plain'],
    ['no versions at all', [speaking(), { role: 'computer' }], '0.4.0', 'bundled'],
    ['no versions at all, by a Computer of 0.2', [speaking()], '0.2.0', 'plain'],
  ])('after a list with %s the dialect is %4$s', async (_, members, version, dialect) => {
    const session = new AgentSession({ list: async () => members, logger: silentLogger, version: () => version });
    void session.joined();
    expect(await session.dialect).toBe(dialect);
  });

  test('requests before the first list wait for it', async () => {
    const session = new AgentSession({ list: async () => [speaking('0.4.0')], logger: silentLogger });
    const { dialect } = session;
    expect(dialect).toBeInstanceOf(Promise);
    await session.joined();
    expect(await dialect).toBe('bundled');
    expect(session.dialect).toBe('bundled');
  });

  test('a notification with a version decides at once, and one without causes a list', async () => {
    const { office, session } = open();
    await session.joined();
    session.entered({ ...notice('x'), a2c_version: '0.4.0' });
    expect(session.dialect).toBe('bundled');
    office.members = [speaking('0.2.0')];
    session.entered(notice('y'));
    expect(await session.dialect).toBe('plain');
  });

  test('a list that is older than a notification changes nothing', async () => {
    const { session } = open(speaking('0.2.0'));
    const joined = session.joined();
    session.entered({ ...notice('x'), a2c_version: '0.4.0' });
    await joined;
    expect(session.dialect).toBe('bundled');
  });

  test('where the office cannot be listed, the dialect is the Computer’s own, and no Agent causes another list', async () => {
    let lists = 0;
    const list = async () => {
      lists += 1;
      throw new SmcpError(ErrorCode.Timeout, 'no answer');
    };
    const session = new AgentSession({ list, logger: silentLogger, version: () => '0.3.0' });
    await session.joined();
    expect(session.dialect).toBe('bundled');
    session.entered(notice('y'));
    expect([session.dialect, lists]).toEqual(['bundled', 1]);
  });

  test('the dialect is reported for Agents only, and stays when they leave', async () => {
    const reported: string[] = [];
    const office: SessionInfo[] = [];
    const session = new AgentSession({
      list: async () => office,
      logger: silentLogger,
      onDialect: each => void reported.push(each),
    });
    await session.joined();
    expect(reported).toEqual([]);
    session.entered({ ...notice('x'), a2c_version: '0.4.0' });
    session.left(notice('x'));
    await reconnect(session);
    expect(reported).toEqual(['bundled']);
    expect(session.dialect).toBe('bundled');
  });
});
