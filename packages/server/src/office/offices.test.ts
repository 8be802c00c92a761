import { describe, expect, test } from 'vitest';
import { Offices } from './offices.ts';

/** Peers are texts; those that begin alike, as in `c1#1` and `c1#2`, are connections of one client. */
function openOffices(maxMembers = 10): Offices<string> {
  const client = (peer: string) => peer.split('#')[0];
  return new Offices({
    maxMembers,
    maxComputers: 10,
    isSameClient: ({ peer }, newcomer) => client(peer) === client(newcomer),
    mayOust: ({ peer }, newcomer) => newcomer === `${peer}!`,
  });
}

const agent = (name: string, office_id: string) => ({ role: 'agent', name, office_id }) as const;
const computer = (name: string, office_id: string) => ({ role: 'computer', name, office_id }) as const;

describe('entering', () => {
  test('makes a member that can be found', () => {
    const offices = openOffices();
    const { member, left, replaced, repeated } = offices.enter('p1', computer('c1', 'o1'));
    expect({ left, replaced, repeated }).toEqual({ left: undefined, replaced: undefined, repeated: false });
    expect(offices.member('p1')).toBe(member);
    expect(offices.computer('o1', 'c1')).toBe(member);
    expect(offices.computer('o2', 'c1')).toBeUndefined();
  });

  test('another office moves a Computer', () => {
    const offices = openOffices();
    offices.enter('p1', computer('c1', 'o1'));
    const { left } = offices.enter('p1', computer('c1', 'o2'));
    expect(left).toMatchObject({ office: 'o1', name: 'c1' });
    expect(offices.computer('o1', 'c1')).toBeUndefined();
    expect([offices.officeCount, offices.memberCount]).toEqual([1, 1]);
  });

  test('takes over the stale session of the same client, also when the office is full', () => {
    const offices = openOffices(2);
    offices.enter('a1#1', agent('a1', 'o1'));
    offices.enter('c1#1', computer('c1', 'o1'));
    expect(offices.enter('c1#2', computer('c1', 'o1')).replaced).toMatchObject({ peer: 'c1#1' });
    expect(offices.enter('a1#2', agent('a1', 'o1')).replaced).toMatchObject({ peer: 'a1#1' });
    expect(offices.forget('c1#1')).toBeUndefined();
    expect(offices.computer('o1', 'c1')?.peer).toBe('c1#2');
    expect(offices.memberCount).toBe(2);
  });

  test('takes the place of another client that it may oust', () => {
    const offices = openOffices(2);
    offices.enter('a1', agent('a1', 'o1'));
    offices.enter('c1', computer('c1', 'o1'));
    expect(offices.enter('c1!', computer('c1', 'o1'))).toMatchObject({ ousted: { peer: 'c1' } });
    expect(offices.enter('a1!', agent('a2', 'o1'))).toMatchObject({ ousted: { peer: 'a1', name: 'a1' } });
    expect(offices.membersOf('o1').map(({ peer }) => peer)).toEqual(['a1!', 'c1!']);
    expect(offices.forget('a1')).toBeUndefined();
  });

  test.each([
    ['a second Agent', 'p9', agent('a9', 'o1'), 'Room already has an agent'],
    ['a taken name', 'p9', computer('c1', 'o1'), "'c1'"],
    ['another role', 'p2', agent('c1', 'o2'), 'cannot join as agent'],
    ['another name', 'p2', computer('c9', 'o1'), "called 'c1'"],
    ['an Agent from another office', 'p1', agent('a1', 'o2'), 'leave it first'],
    ['an office without a name', 'p9', computer('c9', ''), 'The office id is empty'],
    ['a full office', 'p9', computer('c9', 'o1'), 'The office is full'],
  ])('is refused to %s, and nothing changes', (_, peer, request, reason) => {
    const offices = openOffices(2);
    offices.enter('p1', agent('a1', 'o1'));
    offices.enter('p2', computer('c1', 'o1'));
    const before = offices.membersOf('o1');
    expect(() => offices.enter(peer, request)).toThrow(reason);
    expect(offices.membersOf('o1')).toEqual(before);
    expect([offices.officeCount, offices.memberCount]).toEqual([1, 2]);
  });
});

describe('leaving', () => {
  test('frees name and seat, and closes an empty office', () => {
    const offices = openOffices();
    offices.enter('p1', agent('a1', 'o1'));
    expect(offices.leave('p1', 'o1')).toMatchObject({ name: 'a1' });
    expect([offices.officeCount, offices.memberCount]).toEqual([0, 0]);
    expect(offices.enter('p2', agent('a1', 'o1')).member.peer).toBe('p2');
  });

  test('lets a connection come back under another name but not in another role', () => {
    const offices = openOffices();
    offices.enter('p1', computer('c1', 'o1'));
    offices.leave('p1', 'o1');
    expect(() => offices.enter('p1', agent('c1', 'o1'))).toThrow('joined as computer');
    expect(offices.enter('p1', computer('c2', 'o1')).member.name).toBe('c2');
  });

  test('an office one is not in is refused', () => {
    const offices = openOffices();
    offices.enter('p1', computer('c1', 'o1'));
    expect(() => offices.leave('p1', 'o2')).toThrow('Not in room');
    expect(() => offices.leave('p2', 'o1')).toThrow('Not in room');
    expect(offices.memberCount).toBe(1);
  });
});

test('the members of an office are listed with the Agent first', () => {
  const offices = openOffices();
  offices.enter('p2', computer('c1', 'o1'));
  offices.enter('p3', computer('c2', 'o1'));
  offices.enter('p1', agent('a1', 'o1'));
  expect(offices.membersOf('o1').map(({ name }) => name)).toEqual(['a1', 'c1', 'c2']);
  expect(offices.membersOf('nowhere')).toEqual([]);
});

test('a forgotten connection may come back as anything', () => {
  const offices = openOffices();
  offices.enter('p1', computer('c1', 'o1'));
  expect(offices.forget('p1')).toMatchObject({ name: 'c1' });
  expect(offices.enter('p1', agent('a1', 'o1')).member.role).toBe('agent');
});
