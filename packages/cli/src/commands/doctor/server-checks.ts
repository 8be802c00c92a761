import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Agent } from '@a2c-smcp/agent';
import { Computer } from '@a2c-smcp/computer';
import { clip, fieldsOf, limitSignal, parseJson, readJson } from '@a2c-smcp/core';
import {
  commonVersion,
  ERROR_CODE_HEADER,
  ErrorCode,
  NEWEST_VERSION,
  PROTOCOL_LINES,
  SmcpError,
  VERSION_QUERY,
} from '@a2c-smcp/protocol';
import * as z from 'zod';
import { explainFailure } from '../../failure.ts';
import type { Connection } from '../../options.ts';
import { shownUrl } from '../../output/url.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

/** Milliseconds that a Server gets to answer. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Bytes of a message with a large screenshot. */
const SCREENSHOT_BYTES = 4 * 1024 * 1024;
/** Bytes of an answer that are read. An opening packet has some hundred. */
const MAX_BODY_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;

const REFUSED_REMEDY = 'Ask the operator of the Server what these credentials allow';

const Opening = z.looseObject({ maxPayload: z.number().optional() });

export interface ServerToCheck extends Connection {
  url: string;
  /** The name of the Computer that is to join. */
  name: string;
  signal: AbortSignal;
}

/** Checks the handshake, then the join of a Computer and of an Agent. Stops at the first problem. */
export async function checkServer(target: ServerToCheck): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of [checkHandshake, checkComputerJoins, checkAgentJoins]) {
    findings.push(...(await check(target)));
    if (findings.some(({ severity }) => severity === 'problem')) break;
  }
  return findings;
}

/** Checks the Engine.IO handshake: the Server, its protocol version and its limit of message sizes. */
async function checkHandshake(target: ServerToCheck, version = NEWEST_VERSION): Promise<Finding[]> {
  const { url, headers, ca, signal } = target;
  const address = parseUrl(url);
  if (!address)
    return [problem('url-invalid', 'The address is not a URL of a Server', 'Write it as in http://127.0.0.1:7000')];
  address.search = new URLSearchParams({
    EIO: '4',
    transport: 'polling',
    [VERSION_QUERY]: version,
  }).toString();
  const limit = limitSignal(signal, ANSWER_TIMEOUT_MS);
  const [answer] = await Promise.allSettled([readAnswer(address, { headers, ca, signal: limit })]);
  signal.throwIfAborted();
  if (answer.status === 'rejected') {
    return [noAnswer(url, answer.reason)];
  }
  const { status, errorCode, body } = answer.value;
  if (errorCode === String(ErrorCode.VersionMismatch)) {
    const common = commonVersion(fieldsOf(readJson(body)));
    if (common !== undefined && common !== version) return checkHandshake(target, common);
    const remedy = `Install an a2c-smcp that speaks the Server's version; this one speaks ${PROTOCOL_LINES.join(', ')}`;
    return [problem('version-refused', `The Server refuses protocol ${version}: ${clip(body, 500)}`, remedy)];
  }
  const opening = Opening.safeParse(readOpening(body));
  if (status !== 200 || !opening.success) {
    const remedy = 'Check the URL, and that proxies pass /socket.io/ on';
    return [
      problem('server-foreign', `${shownUrl(url)} answers HTTP ${status}, but not as a Socket.IO server`, remedy),
    ];
  }
  return [
    ok('server', `A Server at ${shownUrl(url)} serves protocol ${version}`),
    sizeFinding(opening.data.maxPayload),
  ];
}

/** Codes of OpenSSL and Node for a certificate that is not accepted. */
const CERTIFICATE_CODE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH/;

function noAnswer(url: string, error: unknown): Finding {
  const { code, message } = fieldsOf(error);
  // An error of several addresses has no message.
  const cause = message || code ? ` (${message || code})` : '';
  if (typeof code === 'string' && CERTIFICATE_CODE.test(code)) {
    const text = `The certificate of ${shownUrl(url)} is not accepted${cause}`;
    const remedy = 'Give the certificates to trust with --ca FILE, or the Server a certificate for this name';
    return problem('server-untrusted', text, remedy);
  }
  const remedy = "Check the address, that the Server runs ('a2c server' starts one), firewalls and proxies";
  return problem('server-unreachable', `Nothing answers at ${shownUrl(url)}${cause}`, remedy);
}

interface Answer {
  status: number | undefined;
  /** The header with the code of an error. */
  errorCode: string | undefined;
  /** At most its first `MAX_BODY_BYTES`. */
  body: string;
}

interface AnswerOptions {
  headers: Record<string, string>;
  ca: string | undefined;
  signal: AbortSignal;
}

/** By Node's own client, because `fetch` cannot be given certificates. */
async function readAnswer(address: URL, { headers, ca, signal }: AnswerOptions): Promise<Answer> {
  const { request } = address.protocol === 'https:' ? https : http;
  const sent = request(address, { headers, signal, ...(ca === undefined ? {} : { ca }) }).end();
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const { statusCode: status, headers: received } = response;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response) {
    parts.push(part);
    size += part.length;
    // Leaving the loop ends the rest.
    if (size >= MAX_BODY_BYTES) break;
  }
  const errorCode = [received[ERROR_CODE_HEADER.toLowerCase()]].flat()[0];
  return { status, errorCode, body: Buffer.concat(parts).toString().slice(0, MAX_BODY_BYTES) };
}

function sizeFinding(bytes = MEBIBYTE): Finding {
  const size = `Messages may have ${(bytes / MEBIBYTE).toFixed(1)} MiB`;
  if (bytes >= SCREENSHOT_BYTES) return ok('message-size', size);
  return warning(
    'message-size-small',
    size,
    'One screenshot may exceed it: raise the limit of the Server (messageBytes)',
  );
}

/** Joins as a Computer without tools, and leaves. */
async function checkComputerJoins({ url, name, office, auth, headers, ca, signal }: ServerToCheck): Promise<Finding[]> {
  await using computer = await Computer.open({ name });
  try {
    await computer.join(url, { office, auth, headers, ca, timeout: ANSWER_TIMEOUT_MS, signal });
    return [ok('credentials', 'The credentials are accepted'), ok('name', `'${name}' is free in office '${office}'`)];
  } catch (error) {
    return [refusal(error, { name, office })];
  }
}

/** Joins as the Agent, of which an office has at most one, and leaves. */
async function checkAgentJoins({ url, office, auth, headers, ca, signal }: ServerToCheck): Promise<Finding[]> {
  try {
    await using agent = await Agent.connect(url, {
      name: 'doctor',
      office,
      auth,
      headers,
      ca,
      connectTimeout: ANSWER_TIMEOUT_MS,
      signal,
    });
    const members = await agent.members();
    const others = members.filter(({ name }) => name !== agent.name).map(({ role, name }) => `${role} ${name}`);
    return [ok('office', `Office '${office}' has no Agent yet; in it: ${others.join(', ') || 'no other member'}`)];
  } catch (error) {
    if (error instanceof SmcpError && error.code === ErrorCode.OfficeFull) {
      return [ok('office', `Office '${office}' has its Agent; a second one would be refused`)];
    }
    // Credentials may be valid for Computers only.
    const remedy = 'For an Agent, use credentials that allow the role';
    return [warning('agent-refused', explainFailure(error).message, remedy)];
  }
}

function refusal(error: unknown, { name, office }: { name: string; office: string }): Finding {
  const { message } = explainFailure(error);
  if (!(error instanceof SmcpError)) return problem('join-refused', message, REFUSED_REMEDY);
  if (error.code === ErrorCode.Unauthorized) {
    return problem('credentials-refused', message, 'Give --key, --token, --auth or --header as the Server wants them');
  }
  if (error.reason === 'name_taken') {
    const text = `A Computer '${name}' is in office '${office}' already`;
    return warning('name-taken', text, 'Nothing to do if it is this one; otherwise choose another name with --name');
  }
  return problem('join-refused', message, REFUSED_REMEDY);
}

function parseUrl(url: string): URL | undefined {
  const address = URL.canParse(url) ? new URL('/socket.io/', url) : undefined;
  // `fetch` knows the addresses of WebSockets by another name.
  if (address && /^wss?:$/.test(address.protocol)) address.protocol = address.protocol.replace('ws', 'http');
  return address && /^https?:$/.test(address.protocol) ? address : undefined;
}

/** The JSON of an Engine.IO opening packet, which is preceded by its type. */
function readOpening(body: string): unknown {
  try {
    return body.startsWith('0') ? parseJson(body.slice(1)) : undefined;
  } catch {
    return undefined;
  }
}
