import { isDeepStrictEqual } from 'node:util';
import type { Topic } from '../peers/peer.ts';
import { about, expect } from './expect.ts';
import {
  type Cell,
  CHOICE,
  COMPUTER,
  MCP_SERVER,
  mcpServer,
  nameOf,
  PUBLISHED_WINDOW,
  SKILL,
  type Step,
  TOOLS,
  WINDOWS,
} from './scene.ts';

/** Checks what an Agent sees of a Computer beside its tools, and the notifications of changes. */
export const viewSteps: Step[] = [
  {
    name: 'get_desktop',
    unless: lacking('desktop', 'computer'),
    run: async ({ agent }) => {
      const desktop = await agent.desktop(COMPUTER);
      expect(
        WINDOWS.every(uri => desktop.some(window => window.includes(uri))),
        'both windows',
        desktop,
      );
      expect(
        desktop.every(window => window.includes(PUBLISHED_WINDOW) || window.includes('text of')),
        'windows with their text',
        desktop,
      );
    },
  },
  {
    name: 'get_desktop: made with publish',
    unless: lacking('desktop', 'computer'),
    run: async ({ agent }) => {
      const shown = (await agent.desktop(COMPUTER)).find(window => window.includes(PUBLISHED_WINDOW));
      expect(shown?.includes('Nothing was built yet.') === true, 'the window', shown);
    },
  },
  {
    name: 'get_desktop: size',
    unless: lacking('desktop', 'computer'),
    run: async ({ agent }) => {
      const desktop = await agent.desktop(COMPUTER, { size: 1 });
      expect(desktop.length === 1, 'one window', desktop);
    },
  },
  {
    name: 'get_desktop: window',
    unless: lacking('desktop', 'computer'),
    run: async ({ agent }) => {
      const desktop = await agent.desktop(COMPUTER, { window: WINDOWS[0] });
      expect(
        desktop.length === 1 && desktop[0]?.includes(String(WINDOWS[0])) === true,
        'the window asked for',
        desktop,
      );
    },
  },
  {
    name: 'get_config',
    run: async ({ agent }) => {
      const { servers = {} } = (await agent.config(COMPUTER)) ?? {};
      expect(servers[MCP_SERVER]?.name === MCP_SERVER, `the MCP server '${MCP_SERVER}'`, servers);
    },
  },
  {
    name: 'get_config: pickString',
    run: async ({ agent, cell }) => {
      const { inputs } = (await agent.config(COMPUTER)) ?? {};
      const choice = inputs?.find(({ id }) => id === CHOICE.id);
      expect(choice?.type === 'pickString', `the choice '${CHOICE.id}'`, inputs);
      // Those that know labels show them, and our Computer adapts to the line of the Agent, which is that of its Server.
      const shown = cell.computer.id === 'ours' ? [cell.agent, cell.server] : [cell.computer];
      const hasLabels = shown.every(({ knows }) => knows.has('labels'));
      const options = CHOICE.options.map(option => (hasLabels ? option : valueIn(option)));
      expect(isDeepStrictEqual(choice?.options, options), 'its options', choice);
    },
  },
  {
    name: 'get_resources',
    unless: lacking('resources', 'agent', 'server', 'computer'),
    run: async ({ agent }) => {
      const resources = await agent.resources(COMPUTER, MCP_SERVER);
      expect(
        WINDOWS.every(uri => resources.some(resource => resource.uri === uri)),
        'all resources',
        resources,
      );
    },
  },
  {
    name: 'get_finder',
    unless: lacking('finder', 'agent', 'server', 'computer'),
    run: async ({ agent }) => {
      const documents = await agent.documents?.(COMPUTER);
      expect(documents?.length === 1 && documents[0]?.startsWith('dpe://') === true, 'the document', documents);
    },
  },
  {
    name: 'get_dpe',
    unless: lacking('finder', 'agent', 'server', 'computer'),
    run: async ({ agent }) => {
      const [uri = ''] = (await agent.documents?.(COMPUTER)) ?? [];
      const page = await agent.readPage?.(COMPUTER, uri, 1);
      expect(page?.includes('Costs went down.') === true, 'the second page', page);
    },
  },
  {
    name: 'update_desktop heard',
    unless: lacking('desktop', 'computer'),
    run: async scene => {
      const { agent } = scene;
      agent.hearing.clear();
      await agent.callTool({ computer: COMPUTER, tool: await nameOf('touch', scene), params: { uri: WINDOWS[0] } });
      await agent.hearing.next('changed-desktop', about(COMPUTER));
    },
  },
  {
    name: 'update_tool_list heard',
    run: async scene => {
      const { agent } = scene;
      agent.hearing.clear();
      const tools = [...TOOLS, 'extra'];
      await agent.callTool({ computer: COMPUTER, tool: await nameOf('retool', scene), params: { tools } });
      await agent.hearing.next('changed-tools', about(COMPUTER));
    },
  },
  {
    name: 'new tool listed',
    run: async scene => void (await nameOf('extra', scene)),
  },
  {
    name: 'update_config heard',
    run: async ({ agent, computer }) => {
      agent.hearing.clear();
      await computer.addServer(mcpServer('second', { tools: ['another', 'slow'] }));
      await agent.hearing.next('changed-config', about(COMPUTER));
    },
  },
  {
    name: 'get_skills',
    unless: lacking('skill-files', 'agent', 'server', 'computer'),
    run: async ({ agent }) => {
      const skills = await agent.skills?.(COMPUTER);
      expect(skills?.length === 1 && skills[0] === SKILL.name, 'the skill', skills);
    },
  },
  {
    name: 'get_skill, get_blob',
    unless: lacking('skill-files', 'agent', 'server', 'computer'),
    run: async ({ agent }) => {
      for (const [path, content] of Object.entries(SKILL.files)) {
        const read = await agent.skillFile?.(COMPUTER, SKILL.name, path);
        const served = path === 'SKILL.md' ? SKILL.text : content;
        expect(read === Buffer.from(served).toString('base64'), `the bytes of '${path}'`, read?.length);
      }
    },
  },
  {
    name: 'update_skills heard',
    unless: lacking('skills', 'agent', 'server', 'computer'),
    run: async ({ agent, computer }) => {
      agent.hearing.clear();
      await computer.announceSkills?.();
      await agent.hearing.next('changed-skills', about(COMPUTER));
    },
  },
];

function valueIn(option: unknown): unknown {
  return (option as { value?: unknown }).value;
}

function lacking(topic: Topic, ...roles: (keyof Cell)[]): (cell: Cell) => string | undefined {
  return cell => {
    const without = roles.find(role => !cell[role].knows.has(topic));
    return without && `the ${without} does not know it`;
  };
}
