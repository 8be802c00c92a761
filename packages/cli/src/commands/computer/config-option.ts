import type { OptionSpecs } from '../../command.ts';

/** The option for the configuration of a Computer. */
export const configOption = {
  config: {
    type: 'string',
    short: 'c',
    value: 'FILE',
    env: 'A2C_CONFIG',
    summary: "MCP servers and inputs; also VS Code's, Claude's and Cursor's files; default: that of a2c add, if any",
  },
} as const satisfies OptionSpecs;
