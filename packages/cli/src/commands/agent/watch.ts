import type { Agent, Topic } from '@a2c-smcp/agent';
import { defineCommand, stopped, type World } from '../../command.ts';
import { jsonLine } from '../../output/json.ts';
import { briefLine } from '../../output/table.ts';
import { windowPane } from '../../output/windows.ts';
import { agentOptions, openAgent } from './connect.ts';

/** Characters of an event's description. */
const MAX_TEXT_LENGTH = 1000;

/** `a2c agent watch` */
export const watch = defineCommand({
  summary: 'Show everything that happens in the office as it happens. Ctrl-C ends it.',
  options: agentOptions,
  async run(context) {
    const { options, signal, print, note, style } = context;
    await using agent = await openAgent(context);
    const report: Report = (event, data, text) => {
      if (options.json) print(jsonLine({ at: new Date().toISOString(), event, ...data }));
      else
        print(
          `${style.dim(new Date().toISOString().slice(11, 23))}  ${style.cyan(event.padEnd(10))}  ${briefLine(text, MAX_TEXT_LENGTH)}`,
        );
    };
    follow(agent, report, signal);
    const computers = [...agent.computers.keys()];
    const present = briefLine(computers.join(', '), MAX_TEXT_LENGTH) || 'no Computers yet';
    note(style.dim(`Watching office '${agent.office}': ${present}. Ctrl-C ends.`));
    await stopped(signal);
  },
});

type Report = (event: string, data: Record<string, unknown>, text: string) => void;

function follow(agent: Agent, report: Report, signal: World['signal']): void {
  agent.on('enter', ({ computer }) => report('enter', { computer }, computer), { signal });
  agent.on('leave', ({ computer }) => report('leave', { computer }, computer), { signal });
  agent.on(
    'changed',
    ({ computer, topic }) =>
      void describe(agent, computer, topic).then(
        ({ data, text }) => report(topic, { computer, ...data }, `${computer} ${text}`),
        error => report(topic, { computer, error: String(error) }, `${computer} changed: ${String(error)}`),
      ),
    { signal },
  );
  agent.on(
    'connection',
    state => {
      const reason = 'reason' in state ? state.reason : 'error' in state ? state.error?.message : undefined;
      report('connection', { state: state.type, ...(reason ? { reason } : {}) }, `${state.type} ${reason ?? ''}`);
    },
    { signal },
  );
}

interface Description {
  data: Record<string, unknown>;
  text: string;
}

/** Fetches the changed topic and describes its new state. */
async function describe(agent: Agent, computer: string, topic: Topic): Promise<Description> {
  switch (topic) {
    case 'tools': {
      const tools = (await agent.getTools(computer)).map(({ name }) => name);
      return { data: { tools }, text: `has ${tools.length} tools: ${tools.join(', ')}` };
    }
    case 'config': {
      const servers = Object.keys((await agent.getConfig(computer)).servers);
      return { data: { servers }, text: `has the MCP servers ${servers.join(', ')}` };
    }
    case 'desktop': {
      const windows = await agent.getDesktop(computer);
      return { data: { windows }, text: `shows ${windows.map(window => windowPane(window).title).join(', ')}` };
    }
    case 'finder': {
      const { totalCount } = await agent.getFinder(computer, { limit: 1 });
      return { data: { documents: totalCount }, text: `has ${totalCount} documents` };
    }
    case 'skills': {
      const skills = (await agent.skills(computer)).map(({ name }) => name);
      return { data: { skills }, text: `has ${skills.length} skills: ${skills.join(', ')}` };
    }
  }
}
