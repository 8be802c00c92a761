import { fieldsOf } from '@a2c-smcp/core';
import type { SMCPTool } from '@a2c-smcp/protocol';
import { tokensOf } from '../../output/tools.ts';
import type { Finding } from '../finding.ts';
import { broken } from './rules.ts';

/** Tokens of all tools of one MCP server. */
const HEAVY_TOKENS = 10_000;

export function checkTools(tools: readonly SMCPTool[]): Finding[] {
  const findings = tools.flatMap(({ name, description, params_schema }) => [
    ...(/^[\w-]{1,64}$/.test(name) ? [] : [broken('tool-name', `Models refuse the name of the tool '${name}'`)]),
    ...(description.trim() === '' ? [broken('tool-no-description', `The tool '${name}' has no description`)] : []),
    ...(fieldsOf(params_schema).type === 'object'
      ? []
      : [broken('tool-schema', `The parameters of the tool '${name}' are not declared as an object`)]),
  ]);
  const tokens = tokensOf(tools);
  if (tokens <= HEAVY_TOKENS) return findings;
  return [...findings, broken('tools-heavy', `The tools take about ${tokens.toLocaleString('en')} tokens`)];
}
