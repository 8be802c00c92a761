import { ConfigError, type PolicyRule } from '@a2c-smcp/protocol';
import type { VrlProgram } from '@a2c-smcp/vrl';
import { describeError } from '../describe-error.ts';

/** A tool call as rules see it. */
export interface ToolUse {
  server: string;
  /** The name that Agents see. */
  tool: string;
  /** The name the MCP server knows the tool by. */
  originalTool: string;
  tags: readonly string[];
  annotations: Record<string, unknown>;
  params: Record<string, unknown>;
  /** Undefined for a call from this machine. */
  agent?: string | undefined;
  office?: string | undefined;
}

/** The rule that decides on a call. */
export interface Decision {
  decision: PolicyRule['decision'];
  /** Its place among the rules, from 1. */
  rule: number;
  /** Why it decides so, for people. */
  why: string;
  minutes?: number | undefined;
  reason?: string | undefined;
}

interface CompiledRule {
  rule: PolicyRule;
  number: number;
  patterns: [field: 'server' | 'agent' | 'office', pattern: RegExp][];
  tool: RegExp | undefined;
  when: VrlProgram | undefined;
}

/** The rules of a Computer's owner. Of those that match a call, a `deny` wins, then the first. */
export class Policy implements Disposable {
  readonly #rules: readonly CompiledRule[];

  private constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
  }

  /** Throws a `ConfigError` when the expression of a rule cannot be compiled. */
  static async compile(rules: readonly PolicyRule[]): Promise<Policy> {
    return new Policy(await Promise.all(rules.map((rule, index) => compileRule(rule, index + 1))));
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** Undefined when no rule matches. A rule that cannot be evaluated denies. */
  decide(use: ToolUse): Decision | undefined {
    const matching = this.#rules.flatMap(rule => matchOf(rule, use) ?? []);
    return matching.find(({ decision }) => decision === 'deny') ?? matching[0];
  }

  [Symbol.dispose](): void {
    for (const { when } of this.#rules) when?.dispose();
  }
}

async function compileRule(rule: PolicyRule, number: number): Promise<CompiledRule> {
  const { server, agent, office, tool, when } = rule;
  const texts = Object.entries({ server, agent, office }) as ['server' | 'agent' | 'office', string | undefined][];
  return {
    rule,
    number,
    patterns: texts.flatMap(([field, text]) => (text === undefined ? [] : [[field, toPattern(text)]])),
    tool: tool === undefined ? undefined : toPattern(tool),
    when: when === undefined ? undefined : await compileExpression(when, number),
  };
}

async function compileExpression(source: string, number: number): Promise<VrlProgram> {
  const { Vrl } = await import('@a2c-smcp/vrl');
  try {
    return await Vrl.compile(source);
  } catch (cause) {
    throw new ConfigError(`policy.${number - 1}.when`, describeError(cause), { cause });
  }
}

function matchOf({ rule, number, patterns, tool, when }: CompiledRule, use: ToolUse): Decision | undefined {
  const { decision, tag, annotations = {}, minutes, reason } = rule;
  if (!patterns.every(([field, pattern]) => pattern.test(use[field] ?? ''))) return undefined;
  if (tool && !tool.test(use.tool) && !tool.test(use.originalTool)) return undefined;
  if (tag !== undefined && !use.tags.includes(tag)) return undefined;
  const hints = Object.entries(annotations);
  if (!hints.every(([name, wanted]) => hintOf(use.annotations, name) === wanted)) return undefined;
  const found = { rule: number, minutes, reason };
  try {
    if (when && !holds(when, use)) return undefined;
  } catch (error) {
    const why = `rule ${number} cannot be evaluated and therefore denies: ${describeError(error)}`;
    return { ...found, decision: 'deny', why };
  }
  return { ...found, decision, why: `rule ${number} of the policy (${describeRule(rule)})` };
}

/** Throws when the expression fails or is neither true nor false. */
function holds(program: VrlProgram, { params, tool, server, agent, office }: ToolUse): boolean {
  const event = { params, tool, server, agent: agent ?? null, office: office ?? null };
  const { output } = program.runJson(JSON.stringify(event));
  if (output !== 'true' && output !== 'false') throw new TypeError(`'when' gave ${output.slice(0, 100)}`);
  return output === 'true';
}

/** A hint with MCP's default: a tool that says nothing may write, destroy and reach the outside world. */
function hintOf(annotations: Record<string, unknown>, name: string): unknown {
  const isReadOnly = annotations.readOnlyHint === true;
  if (name === 'destructiveHint' && isReadOnly) return false;
  const defaults: Record<string, boolean> = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  };
  const given = annotations[name];
  return typeof given === 'boolean' ? given : defaults[name];
}

function describeRule({ decision, reason: _, minutes: __, ...conditions }: PolicyRule): string {
  const words = Object.entries(conditions).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
  return [decision, ...words].join(', ');
}

/** A text in which `*` stands for any characters and `?` for one. */
function toPattern(text: string): RegExp {
  const escaped = text.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}
