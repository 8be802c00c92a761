import type { Agent, ConnectionState, Topic } from '@a2c-smcp/agent';
import { within } from '@a2c-smcp/core';
import { defineCommand, stopped, type World } from '../../command.ts';
import { jsonLine } from '../../output/json.ts';
import { briefLine } from '../../output/table.ts';
import { ChangeLog, TOPICS } from './changes.ts';
import { agentOptions, openAgent } from './connect.ts';

/** Characters of an event's description. */
const MAX_TEXT_LENGTH = 1000;
/** Milliseconds that Computers have to show their state at the start. Some answer only a part of the requests. */
const LEARN_TIMEOUT_MS = 2000;

/** `a2c agent watch` */
export const watch = defineCommand({
  summary: 'Show what comes, goes and changes in the office as it happens. Ctrl-C ends it.',
  options: agentOptions,
  async run(context) {
    const { options, signal, print, note, style, terminal } = context;
    await using agent = await openAgent(context);
    const report: Report = (event, data, text) => {
      if (options.json) print(jsonLine({ at: new Date().toISOString(), event, ...data }));
      else if (text !== undefined)
        print(
          `${style.dim(new Date().toISOString().slice(11, 23))}  ${style.cyan(event.padEnd(10))}  ${briefLine(text, MAX_TEXT_LENGTH)}`,
        );
    };
    const log = new ChangeLog(agent);
    const computers = [...agent.computers.keys()];
    const learnt = Promise.all(computers.map(computer => log.learn(computer)));
    await within(learnt, { timeout: LEARN_TIMEOUT_MS, signal }).catch(() => {});
    follow(agent, log, report, signal);
    followConnection(agent, report, { signal, terminal });
    const present = briefLine(computers.join(', '), MAX_TEXT_LENGTH) || 'no Computers yet';
    note(style.dim(`Watching office '${agent.office}': ${present}. Ctrl-C ends.`));
    await stopped(signal);
  },
});

/** Reports an event. Without `text` a person does not see it. */
type Report = (event: string, data: Record<string, unknown>, text: string | undefined) => void;

function follow(agent: Agent, log: ChangeLog, report: Report, signal: AbortSignal): void {
  const check = async (computer: string, topic: Topic) => {
    try {
      const change = await log.next(computer, topic);
      if (change) report(topic, { computer, ...change.data }, `${computer} ${change.text}`);
    } catch (error) {
      if (!signal.aborted) report(topic, { computer, error: String(error) }, `${computer} changed: ${String(error)}`);
    }
  };
  const enter = (computer: string) => {
    report('enter', { computer }, computer);
    void check(computer, 'tools');
    const others = TOPICS.filter(topic => topic !== 'tools');
    void log.learn(computer, others);
  };
  const leave = (computer: string) => {
    log.forget(computer);
    report('leave', { computer }, computer);
  };
  agent.on('enter', ({ computer }) => enter(computer), { signal });
  agent.on('leave', ({ computer }) => leave(computer), { signal });
  agent.on('changed', ({ computer, topic }) => void check(computer, topic), { signal });
  let wasLost = false;
  const checkAll = ({ type }: ConnectionState) => {
    // Notifications were missed meanwhile.
    if (wasLost && type === 'joined') {
      for (const computer of agent.computers.keys()) for (const topic of TOPICS) void check(computer, topic);
    }
    wasLost = type !== 'joined';
  };
  agent.on('connection', checkAll, { signal });
}

/** Reports the state of the connection. Of several attempts to reconnect a person sees the first and their number. */
function followConnection(
  agent: Agent,
  report: Report,
  { signal, terminal }: Pick<World, 'signal' | 'terminal'>,
): void {
  let attempts = 0;
  agent.on(
    'connection',
    state => {
      const reason = 'reason' in state ? state.reason : 'error' in state ? state.error?.message : undefined;
      attempts = state.type === 'retrying' ? attempts + 1 : attempts;
      const data = { state: state.type, ...(reason ? { reason } : {}) };
      const count = state.type === 'joined' && attempts > 0 ? `after ${attempts + 1} attempts` : '';
      report('connection', data, attempts > 1 && count === '' ? undefined : `${state.type} ${reason ?? count}`);
      terminal?.status(state.type === 'retrying' ? `Reconnecting, attempt ${attempts + 1} …` : undefined);
      if (state.type === 'joined') attempts = 0;
    },
    { signal },
  );
}
