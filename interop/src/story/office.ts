import { eventually, within } from '../eventually.ts';
import { about, expect, expectReason, failure } from './expect.ts';
import { AGENT, agentOptions, COMPUTER, mcpServer, nameOf, type Step } from './scene.ts';

/** Checks membership of an office, and its notifications. */
export const officeSteps: Step[] = [
  {
    name: 'wrong key refused',
    run: async scene => {
      const stranger = scene.cell.agent.connectAgent(agentOptions(scene, { key: 'wrong', name: 'stranger' }));
      expectReason(await failure(stranger), /refused|key|credential|auth/i);
    },
  },
  {
    name: 'enter heard, tools fetched',
    run: async ({ agent }) => {
      await agent.hearing.next('enter', about(COMPUTER));
      await agent.hearing.next('tools', about(COMPUTER));
    },
  },
  {
    name: 'second agent refused',
    run: async scene => {
      const rival = scene.cell.agent.connectAgent(agentOptions(scene, { name: 'rival', mustAsk: true }));
      expectReason(await failure(rival), /agent/i);
    },
  },
  {
    name: 'duplicate name refused',
    run: async ({ cell, wires, key, office }) => {
      const options = { url: wires.computer.url, key, name: COMPUTER, servers: [mcpServer('other', { tools: [] })] };
      await using double = await cell.computer.openComputer(options);
      expectReason(await failure(double.join(office)), new RegExp(COMPUTER));
    },
  },
  {
    name: 'role change refused',
    unless: ({ agent }) => (agent.id === 'ours' ? 'our Agent cannot even ask for it' : undefined),
    run: async ({ agent }) => expectReason((await agent.changeRole?.()) ?? '', /role|agent/i),
  },
  {
    name: 'list_room',
    run: async ({ agent }) => {
      const computers = await agent.computers();
      expect(computers.length === 1 && computers[0] === COMPUTER, `only '${COMPUTER}'`, computers);
    },
  },
];

/** How a connection ends. They come last, for they end what the others need. */
export const farewellSteps: Step[] = [
  {
    name: 'computer cut off and back',
    run: async scene => {
      const { agent, wires } = scene;
      agent.hearing.clear();
      wires.computer.cut();
      await agent.hearing.next('leave', about(COMPUTER));
      await agent.hearing.next('enter', about(COMPUTER), 20_000);
      expect((await nameOf('echo', scene)).endsWith('echo'), 'the tools of the Computer that is back');
    },
  },
  {
    name: 'agent cut off and back',
    run: async ({ agent, wires }) => {
      wires.agent.cut();
      // A request that is sent before the loss is noticed may never be answered.
      const ask = () => within(3000, 'list_room', agent.computers());
      const computers = await eventually(ask, 20_000);
      expect(computers.includes(COMPUTER), `'${COMPUTER}' in the office of ${AGENT}`, computers);
    },
  },
  {
    name: 'leave heard',
    run: async ({ agent, computer }) => {
      agent.hearing.clear();
      await computer.leave();
      await agent.hearing.next('leave', about(COMPUTER));
    },
  },
];
