import type { PublishedByServer, ResourceProblem } from '@a2c-smcp/computer';
import { fieldsOf, onAbort } from '@a2c-smcp/core';
import { parseWindowUri, type Resource } from '@a2c-smcp/protocol';
import type { Finding } from '../finding.ts';
import type { Inspected } from './inspected.ts';
import { broken } from './rules.ts';

/** Characters of a window. */
const LONG_CHARACTERS = 8000;
/** Milliseconds from a change to its announcement. */
export const ANNOUNCE_TIMEOUT_MS = 2000;

/** A window as it is shown, or why it is not. */
export interface WindowReport {
  uri: string;
  title: string;
  priority: number;
  text?: string;
  /** Why an Agent does not see it. */
  leftOut?: string;
}

export async function checkWindows(
  inspected: Inspected,
  { resources }: PublishedByServer,
): Promise<{ windows: WindowReport[]; findings: Finding[] }> {
  const problems: ResourceProblem[] = [];
  await inspected.computer.desktop({ onProblem: found => problems.push(found) });
  const shown = await inspected.desktop();
  const listed = resources.filter(isWindow);
  const windows = [
    ...[...shown].map(([uri, text]) => ({
      ...describe(
        listed.find(resource => identity(resource) === uri),
        uri,
      ),
      text,
    })),
    ...listed
      .filter(resource => !shown.has(identity(resource)))
      .map(resource => ({ ...describe(resource, resource.uri), leftOut: reasonFor(resource, listed, problems) })),
  ];
  const findings = [
    ...problems.map(({ code, message, uri, fields }) =>
      broken(code, `${message} (${uri ?? fields?.host ?? `MCP server '${inspected.name}'`})`),
    ),
    ...checkMetadata(listed),
    ...windows.flatMap(checkText),
    ...(await checkFreshness(inspected)),
  ];
  return { windows, findings };
}

function describe(resource: Resource | undefined, uri: string): Pick<WindowReport, 'uri' | 'title' | 'priority'> {
  const { priority } = fieldsOf(resource?.annotations);
  const isValid = typeof priority === 'number' && priority >= 0 && priority <= 1;
  return { uri, title: String(resource?.title ?? resource?.name ?? ''), priority: isValid ? priority : 0 };
}

/** The URI under which a Desktop shows a window. */
function identity({ uri }: Resource): string {
  try {
    return parseWindowUri(uri).uri;
  } catch {
    return uri;
  }
}

function reasonFor(resource: Resource, listed: readonly Resource[], problems: readonly ResourceProblem[]): string {
  const own = problems.find(({ uri, message }) => uri === resource.uri && message.includes('left out'));
  const general = problems.find(({ uri, code }) => uri === undefined && code === 'window-no-subscribe');
  if (own ?? general) return (own ?? general)?.message ?? '';
  const fullscreen = listed.find(isFullscreen);
  return fullscreen ? `hidden by the fullscreen window '${fullscreen.uri}'` : 'unknown';
}

function isWindow({ uri }: Resource): boolean {
  return /^window:\/\//i.test(uri);
}

function isFullscreen({ _meta }: Resource): boolean {
  return fieldsOf(_meta).fullscreen === true;
}

/** Finds omissions that a Computer accepts in silence, but authors should fix. */
function checkMetadata(listed: readonly Resource[]): Finding[] {
  const silent = listed.filter(({ annotations }) => fieldsOf(annotations).audience === undefined);
  const hasPriority = listed.some(resource => describe(resource, resource.uri).priority > 0);
  const fullscreen = listed.filter(isFullscreen);
  return [
    ...silent.map(({ uri }) => broken('window-audience', `The audience of '${uri}' is not declared`)),
    ...(listed.length > 1 && !hasPriority
      ? [broken('window-priority-default', `None of ${listed.length} windows has a priority above 0`)]
      : []),
    ...(fullscreen.length > 1
      ? [broken('window-fullscreen-several', `${fullscreen.length} windows are fullscreen`)]
      : []),
  ];
}

function checkText({ uri, text = '' }: WindowReport): Finding[] {
  const length = text.length.toLocaleString('en');
  return [
    ...(text.length > LONG_CHARACTERS ? [broken('window-long', `'${uri}' has ${length} characters`)] : []),
    ...(/<!doctype html|<html[\s>]/i.test(text) ? [broken('window-html', `'${uri}' is HTML`)] : []),
  ];
}

/** Compares what the Computer shows, which it cached, with what the MCP server has now. */
export async function checkFreshness(inspected: Inspected): Promise<Finding[]> {
  const { resources } = await inspected.computer.published(inspected.name);
  const stale: Finding[] = [];
  for (const resource of resources.filter(isWindow)) {
    const uri = identity(resource);
    const announced = nextChange(inspected, AbortSignal.timeout(ANNOUNCE_TIMEOUT_MS));
    const before = (await inspected.desktop()).get(uri);
    const now = await textNow(inspected, resource.uri);
    const isSame = before === undefined || now === undefined || now === before;
    // A change that is announced may be on its way.
    if (!isSame && !(await announced)) {
      stale.push(broken('window-stale', `The text of '${uri}' changed, and no update was announced`));
    }
  }
  return stale;
}

async function textNow(inspected: Inspected, uri: string): Promise<string | undefined> {
  const contents = await inspected.contents(uri).catch(() => undefined);
  const texts = contents?.map(({ text }) => text).filter(text => typeof text === 'string');
  return texts?.join('\n\n');
}

/** Resolves with true if Desktop or Finder change before the signal fires. */
export function nextChange({ computer }: Inspected, signal: AbortSignal): Promise<boolean> {
  return new Promise(resolve => {
    for (const view of ['desktop', 'finder'] as const) computer.on(view, () => resolve(true), { signal });
    onAbort(signal, () => resolve(false));
  });
}
