import type { CallRecord } from '@a2c-smcp/server';
import { sizeText } from '../../../output/size.ts';
import type { Style } from '../../../output/style.ts';
import { briefLine, columns, table } from '../../../output/table.ts';
import type { EventRates, TopState } from './top-state.ts';

const BARS = '▁▂▃▄▅▆▇█';
/** Characters of a name in a line of text. */
const MAX_NAME_LENGTH = 60;

export interface ScreenOptions {
  style: Style;
  url: string;
  /** Lines that fit; the lists share what is left. */
  rows: number;
  /** Why the Server cannot be reached, if it cannot. */
  problem?: string | undefined;
}

/** The state of a Server as lines for a terminal. */
export function topLines(state: TopState, { style, url, rows, problem }: ScreenOptions): string[] {
  const { overview } = state;
  if (!overview) return [`Waiting for ${url} …`];
  const [all, ...events] = state.rates();
  const head = [
    headline(state, url, style),
    ...columns([
      ['Connections', 'Offices', 'Members', 'In flight', 'Received', 'Sent'].map(style.dim),
      [
        ...[overview.connections, overview.offices, overview.members, overview.inFlight].map(String),
        ...[state.received, state.sent].map(bytes => `${sizeText(Math.round(bytes))}/s`),
      ],
    ]),
    '',
    `${style.cyan(sparkline(state.series()))}  ${all ? rateText(all) : ''}`,
    ...(problem === undefined ? [] : [style.red(briefLine(problem, 500))]),
    '',
  ];
  const sections = [eventTable(events, style), nodeTable(state, style)].filter(lines => lines.length > 0);
  const upper = [...head, ...sections.flatMap(lines => [...lines, ''])];
  const room = Math.max(0, rows - upper.length);
  // Offices, calls and news share the rest.
  const third = Math.max(3, Math.floor(room / 3));
  const lists = [
    officeTable(state, style, third - 2),
    callTable(state, style, third - 2),
    newsLines(state, style, third - 2),
  ];
  return [...upper, ...lists.flatMap(lines => (lines.length > 0 ? [...lines, ''] : []))].slice(0, rows);
}

/** One line for outputs that are not terminals. */
export function topLine(state: TopState): string {
  const { at, connections, members, inFlight } = state.overview ?? { at: 0, connections: 0, members: 0, inFlight: 0 };
  const [all] = state.rates();
  const numbers = `connections ${connections}  members ${members}  in flight ${inFlight}`;
  return `${timeText(at)}  ${numbers}  ${all ? rateText(all) : ''}`.trimEnd();
}

function headline(state: TopState, url: string, style: Style): string {
  const { uptime = 0, status = 'ok', nodes = [] } = state.overview ?? {};
  const count = nodes.length > 1 ? `  ${nodes.length} nodes` : '';
  const mark = status === 'ok' ? style.green(status) : style.yellow(status);
  return `${style.bold('a2c server')}  ${url}  ${mark}  up ${durationText(uptime)}${count}`;
}

function rateText({ rate, refused, failed, p50, p95, p99 }: EventRates): string {
  const latency = p50 === undefined ? '' : `  p50 ${msText(p50)}  p95 ${msText(p95)}  p99 ${msText(p99)}`;
  const problems = `${refused > 0 ? `  refused ${refused}` : ''}${failed > 0 ? `  failed ${failed}` : ''}`;
  return `${numberText(rate)} calls/s${latency}${problems}`;
}

function eventTable(events: readonly EventRates[], style: Style): string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ event, rate, refused, failed, p50, p95, p99 }) => [
    ...[event, numberText(rate), String(refused), String(failed)],
    ...[p50, p95, p99].map(msText),
  ]);
  return table(['EVENT', 'CALLS/S', 'REFUSED', 'FAILED', 'P50', 'P95', 'P99'], rows, { style, keep: 0 });
}

function nodeTable({ overview }: TopState, style: Style): string[] {
  const nodes = overview?.nodes ?? [];
  if (nodes.length < 2) return [];
  const rows = nodes.map(({ node, self, reachable, observed, connections, members, inFlight, uptime }) => [
    ...[self ? `${node} (this one)` : node, reachable ? (observed ? 'ok' : 'not observed') : 'unreachable'],
    ...[connections, members, inFlight].map(String),
    durationText(uptime),
  ]);
  return table(['NODE', 'STATE', 'CONNECTIONS', 'MEMBERS', 'IN FLIGHT', 'UP'], rows, { style });
}

function officeTable(state: TopState, style: Style, room: number): string[] {
  const offices = state.busiestOffices();
  const rows = offices
    .slice(0, room)
    .map(({ office, agent, computers, inFlight, recent }) => [
      ...[office, agent ?? '–', String(computers), String(inFlight), String(recent)],
    ]);
  if (rows.length === 0) return [];
  return table(['OFFICE', 'AGENT', 'COMPUTERS', 'IN FLIGHT', 'LAST CALLS'], rows, { style });
}

function callTable({ calls }: TopState, style: Style, room: number): string[] {
  if (calls.length === 0 || room < 1) return [];
  const rows = calls
    .slice(-room)
    .toReversed()
    .map(call => [
      ...[timeText(call.at), call.office, call.agent, call.computer, call.tool ?? call.event],
      ...[outcomeText(call), call.outcome === 'refused' ? '' : msText(call.ms)],
      sizeText(call.requestBytes + call.responseBytes),
    ]);
  const paint = (cell: string, column: number) => (column === 5 && cell !== 'answered' ? style.yellow(cell) : cell);
  return table(['TIME', 'OFFICE', 'AGENT', 'COMPUTER', 'CALL', 'OUTCOME', 'TOOK', 'SIZE'], rows, { style, paint });
}

function newsLines({ moves, refusals }: TopState, style: Style, room: number): string[] {
  const short = (text: string) => briefLine(text, MAX_NAME_LENGTH);
  const moved = moves.map(({ at, type, role, name, office, address = '' }) => ({
    at,
    text: `${type === 'enter' ? style.green('enter') : style.dim('leave')}    ${role} ${short(name)} in ${short(office)}  ${address}`,
  }));
  const refused = refusals.map(({ at, reason, count, address = '', message = '' }) => ({
    at,
    text: `${style.yellow('refused')}  ${reason}${count > 1 ? ` ×${count}` : ''}  ${address}  ${briefLine(message, 200)}`,
  }));
  const newest = [...moved, ...refused].toSorted((a, b) => b.at - a.at).slice(0, Math.max(0, room));
  return newest.length === 0 ? [] : [style.dim('NEWS'), ...newest.map(({ at, text }) => `${timeText(at)}  ${text}`)];
}

function outcomeText({ outcome, code }: CallRecord): string {
  return code === undefined ? outcome : `${outcome} ${code}`;
}

function sparkline(series: readonly number[]): string {
  const most = Math.max(1, ...series);
  return series.map(count => (count === 0 ? ' ' : (BARS[Math.ceil((count / most) * 8) - 1] ?? ''))).join('');
}

function timeText(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function numberText(value: number): string {
  return value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}

function msText(ms: number | undefined): string {
  if (ms === undefined) return '–';
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`;
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toPrecision(2))} ms`;
}

/** `42 s`, `12 min`, `3 h 12 min`, `5 d 3 h`. */
function durationText(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map(unit => Math.floor(seconds / unit)) as [number, number, number];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}
