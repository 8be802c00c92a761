import type { MCPServerInput } from '@a2c-smcp/protocol';
import type { Pin } from './consent/pins.ts';
import type { InputSource } from './inputs/inputs.ts';
import type { McpServerStatus } from './mcp/supervisor/status.ts';
import type { Question } from './questions/question.ts';

/** Something that waits for the owner of a Computer. */
export interface AttentionItem {
  /** The same as long as its cause is. */
  id: string;
  kind: 'question' | 'config' | 'input' | 'server' | 'tool';
  /** The MCP server it concerns. */
  server?: string;
  /** The id of the question or the input, or the name of the tool. */
  subject?: string;
  /** The problem, in a sentence. */
  problem: string;
  /** The words of an error. */
  detail?: string;
  /** The advice for the owner. */
  fix: string;
}

/** The part of a Computer that is looked at. */
interface AttentionSources {
  questions: { open: readonly Question[] };
  inputs: readonly MCPServerInput[];
  inputSources(id: string): Promise<InputSource[]>;
  status(): McpServerStatus[];
  consent: { pins(): Pin[] };
}

/** Everything that waits for the owner, the most urgent first: an Agent waits for an answer, a failed server for nobody. */
export async function attentionOf(
  computer: AttentionSources,
  configError: Error | undefined,
): Promise<AttentionItem[]> {
  const { open } = computer.questions;
  // One that waits for a sign-in has a question.
  const failed = computer.status().filter(({ state, auth }) => state === 'failed' && auth !== 'sign-in-needed');
  const isMentioned = (id: string) => failed.some(({ error = '' }) => error.includes(`inputs.${id}`));
  const asked = new Set(open.flatMap(question => (question.kind === 'input' ? [question.input.id] : [])));
  const unasked = computer.inputs.map(({ id }) => id).filter(id => !asked.has(id) && isMentioned(id));
  const sources = await Promise.all(unasked.map(id => computer.inputSources(id)));
  const missing = unasked.filter((_, index) => sources[index]?.some(({ from }) => from === 'none'));
  const waits = (error = '') => missing.some(id => error.includes(`inputs.${id}`));
  return [
    ...open.map(ofQuestion),
    ...(configError ? [ofConfig(configError)] : []),
    ...missing.map(ofInput),
    ...failed.filter(({ error }) => !waits(error)).map(ofServer),
    ...computer.consent
      .pins()
      .filter(({ isChanged }) => isChanged)
      .map(ofPin),
  ];
}

function ofQuestion(question: Question): AttentionItem {
  const { id, kind } = question;
  const server = question.server === undefined ? {} : { server: question.server };
  const problem = {
    confirmation: () => `An Agent wants to run '${'tool' in question ? question.tool : ''}'`,
    form: () => `MCP server '${question.server}' wants a form filled in`,
    url: () => `MCP server '${question.server}' wants an address visited`,
    'sign-in': () => `MCP server '${question.server}' wants you to sign in`,
    input: () => `A value is asked for: '${question.kind === 'input' ? question.input.id : ''}'`,
  }[kind]();
  const fix = kind === 'sign-in' ? `Sign in: 'sign-in ${question.server}' in the shell` : 'Answer the question';
  return { id: `question:${id}`, kind: 'question', subject: id, ...server, problem, fix };
}

function ofConfig({ message }: Error): AttentionItem {
  const fix = 'Correct the configuration file; the former contents stay in force until then';
  const problem = `The changed configuration file cannot be used: ${message}`;
  return { id: 'config', kind: 'config', problem, detail: message, fix };
}

function ofInput(id: string): AttentionItem {
  return {
    id: `input:${id}`,
    kind: 'input',
    subject: id,
    problem: `The input '${id}' has no value, and an MCP server needs it`,
    fix: `Give it a value: 'inputs value set ${id}' in the shell, or its environment variable`,
  };
}

function ofServer({ name, error = 'it did not start' }: McpServerStatus): AttentionItem {
  const fix = `See what it wrote with 'stderr ${name}', correct its configuration, then 'start ${name}'`;
  const problem = `MCP server '${name}' failed: ${error}`;
  return { id: `server:${name}`, kind: 'server', server: name, problem, detail: error, fix };
}

function ofPin({ server, tool }: Pin): AttentionItem {
  return {
    id: `tool:${server}/${tool}`,
    kind: 'tool',
    server,
    subject: tool,
    problem: `'${tool}' of MCP server '${server}' is not what it was when it was last used`,
    fix: 'Look at the change, and accept it if it is meant',
  };
}
