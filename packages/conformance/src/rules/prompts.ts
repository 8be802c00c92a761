import type { Requirement } from './requirement.ts';

/** MCP prompts through a Computer. */
export const prompts = {
  'get-prompts.page': {
    source: 'events.md#clientget_prompts',
    rule:
      '`client:get_prompts` with `mcp_server` passes on one page of `prompts/list`, each prompt with `mcp_server`, takes ' +
      '`cursor` and returns `next_cursor`.',
    obeys: ['computer'],
    done: true,
  },
  'get-prompts.all': {
    source: 'events.md#clientget_prompts',
    rule:
      '`client:get_prompts` without `mcp_server` lists the prompts of all MCP servers, in their order, each name of a ' +
      'server once, without `next_cursor`; a `cursor` gives 400.',
    obeys: ['computer'],
    done: true,
  },
  'get-prompts.left-out': {
    source: 'events.md#clientget_prompts',
    rule:
      'The list of all prompts leaves out and logs an MCP server that does not list its own within 5 s, has more than ' +
      '10,000 or 4 MiB of them, or whose prompts do not fit into the message.',
    obeys: ['computer'],
    done: true,
  },
  'get-prompts.errors': {
    source: 'events.md#clientget_prompts',
    rule:
      '`client:get_prompts` gives 4014 for an unknown `mcp_server`, and 4015 with the capability "prompts" for one ' +
      'without prompts.',
    obeys: ['computer'],
    done: true,
  },
  'get-prompt.filled': {
    source: 'events.md#clientget_prompt',
    rule:
      '`client:get_prompt` gives `name` and `arguments` to the MCP server in `mcp_server` and is answered with its ' +
      '`description` and `messages`, verbatim.',
    obeys: ['computer'],
    done: true,
  },
  'get-prompt.errors': {
    source: 'events.md#clientget_prompt',
    rule:
      '`client:get_prompt` gives 4014 and 4015 like `client:get_prompts`, 400 when the MCP server answers -32602, 408 ' +
      'when it does not answer in time, and 500 for any other failure, with its code as `upstream_code`.',
    obeys: ['computer'],
    done: true,
  },
} as const satisfies Record<string, Requirement>;
