import { onAbort } from '@a2c-smcp/core';
import type { OfficeSummary } from '@a2c-smcp/server';
import { type CommandContext, defineCommand } from '../../../command.ts';
import { jsonLine, prettyJson } from '../../../output/json.ts';
import { OperatorClient, operatorOptions, type StreamEvent } from './client.ts';
import { topLine, topLines } from './top-screen.ts';
import { TopState } from './top-state.ts';

/** Milliseconds between two lists of offices. */
const OFFICES_INTERVAL_MS = 2000;

const topOptions = {
  ...operatorOptions,
  once: { type: 'boolean', summary: 'Print the state once and end' },
} as const;

type TopContext = CommandContext<typeof topOptions>;

/** `a2c server top` */
export const top = defineCommand({
  summary: 'Show the offices, members and calls of a running Server live. q ends it.',
  options: topOptions,
  examples: [
    'a2c server --operator-key "$KEY"          # in one terminal',
    'a2c server top --key "$KEY"               # in another',
    'a2c server top --once --json              # for scripts',
  ],
  async run(context) {
    const client = new OperatorClient(context);
    if (context.options.once) await printOnce(client, context);
    else if (context.options.json) await printFrames(client, context);
    else await follow(client, context);
  },
});

async function printOnce(client: OperatorClient, { options, print, style, signal }: TopContext): Promise<void> {
  const state = new TopState();
  const { offices } = await officesOf(client, signal);
  state.offices = offices;
  for await (const frame of client.events(signal)) {
    if (frame.event === 'lost') continue;
    const isSnapshot = frame.event === 'snapshot';
    if (options.json) {
      print(prettyJson({ ...frame.data, offices }));
      return;
    }
    state.apply(frame.data, isSnapshot);
    // Bytes per second are the difference of two frames.
    if (!isSnapshot) break;
  }
  for (const line of topLines(state, { style, url: client.url, rows: 60 })) print(line);
}

async function printFrames(client: OperatorClient, { print, signal }: TopContext): Promise<void> {
  for await (const frame of client.events(signal)) {
    print(jsonLine(frame.event === 'lost' ? frame : { event: frame.event, ...frame.data }));
  }
}

/** Redraws the terminal with each frame; without one, prints a line for each second. */
async function follow(client: OperatorClient, context: TopContext): Promise<void> {
  const { terminal, style, print } = context;
  const quit = new AbortController();
  const release = onAbort(context.signal, () => quit.abort(context.signal.reason));
  const { signal } = quit;
  const state = new TopState();
  let problem: string | undefined;
  let printedAt = 0;
  const fetchOffices = (list: OfficeSummary[]) => {
    state.offices = list;
  };
  const show = (frame: StreamEvent) => {
    if (frame.event === 'lost') problem = `${frame.reason}; reconnecting`;
    else {
      problem = undefined;
      state.apply(frame.data, frame.event === 'snapshot');
    }
    if (screen) {
      const { rows, columns } = screen.size;
      screen.draw(topLines(state, { style: { ...style, width: columns }, url: client.url, rows, problem }));
    } else if (problem !== undefined) print(problem);
    else if ((state.overview?.at ?? 0) - printedAt >= 1000) {
      printedAt = state.overview?.at ?? 0;
      print(topLine(state));
    }
  };
  // Before the screen is opened, so that a refusal is shown on the terminal itself.
  const events = client.events(signal);
  const first = await events.next();
  using screen = terminal?.openScreen(key => (key === 'q' ? quit.abort() : undefined));
  using _polling = poll(client, signal, fetchOffices);
  try {
    if (!first.done) show(first.value);
    for await (const frame of events) show(frame);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    release();
  }
}

/** Fetches the offices from time to time. The stream says when they cannot be. */
function poll(client: OperatorClient, signal: AbortSignal, onOffices: (offices: OfficeSummary[]) => void): Disposable {
  const fetch = () =>
    void officesOf(client, signal).then(
      ({ offices }) => onOffices(offices),
      () => {},
    );
  fetch();
  const timer = setInterval(fetch, OFFICES_INTERVAL_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function officesOf(client: OperatorClient, signal: AbortSignal): Promise<{ offices: OfficeSummary[]; total: number }> {
  return client.request('GET', 'offices', signal);
}
