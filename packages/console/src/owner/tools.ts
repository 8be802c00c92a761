import type { Computer, SMCPTool } from '@a2c-smcp/computer';
import { fieldsOf } from '@a2c-smcp/core';
import { HttpError } from '../http/respond.ts';
import type { ToolDetails, ToolRow } from './types.ts';

/** Measured over seven well-known MCP servers with a tokenizer: 4.5 to 4.9. */
const CHARACTERS_PER_TOKEN = 4.7;
const MAX_SUMMARY_LENGTH = 240;

export function toolRows(computer: Computer): ToolRow[] {
  return computer.tools.map(tool => rowOf(computer, tool));
}

export function toolDetails(computer: Computer, name: string): ToolDetails {
  const tool = computer.tools.find(each => each.name === name);
  if (!tool) throw new HttpError(404, `There is no tool '${name}'`);
  const { why, change, server, originalTool } = computer.consent.explain({ tool: name });
  const annotations = jsonIn(tool.meta, 'MCP_TOOL_ANNOTATION');
  const autoApply = jsonIn(tool.meta, 'a2c_tool_meta').auto_apply === true;
  return { ...rowOf(computer, tool), tool, why, change, server, originalTool, annotations, autoApply };
}

function rowOf(computer: Computer, tool: SMCPTool): ToolRow {
  const { name, description, meta } = tool;
  const { server, decision, change } = computer.consent.explain({ tool: name });
  const { tags } = jsonIn(meta, 'a2c_tool_meta');
  return {
    name,
    server,
    summary: firstSentence(description),
    tokens: tokensOf(tool),
    consent: decision,
    isChanged: change !== undefined,
    tags: Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : [],
  };
}

/** The part of a definition that model providers have fields for. */
function tokensOf({ name, description, params_schema }: SMCPTool): number {
  const length = name.length + description.length + JSON.stringify(params_schema).length;
  return Math.ceil(length / CHARACTERS_PER_TOKEN);
}

function firstSentence(description: string): string {
  const line = description.trim().split('\n', 1)[0] ?? '';
  const [sentence = line] = /^.+?[.!?。！？](?=\s|$)/.exec(line) ?? [];
  return sentence.slice(0, MAX_SUMMARY_LENGTH);
}

/** Metadata that the wire carries as JSON text. */
function jsonIn(meta: SMCPTool['meta'], key: string): Record<string, unknown> {
  const text = meta?.[key];
  try {
    return typeof text === 'string' ? fieldsOf(JSON.parse(text)) : {};
  } catch {
    return {};
  }
}
