/** The lines of `a2c --help`. They are apart from the commands, which take half a second to load all together. */
export const summaries = {
  demo: 'Show a Server, a Computer and an Agent at work, and leave the office open to try.',
  server: 'Run a Server: the relay that Agents and Computers connect to.',
  computer: 'Run a Computer: MCP servers of this machine, for the Agent of an office.',
  agent: 'Be the Agent of an office: look, call, read, send files and watch.',
  audit: 'Show the tool calls that a Computer of this machine has recorded.',
  doctor: 'Check a configuration and a Server, and explain problems and remedies.',
  new: 'Write a small program to start from: an MCP server with a window or a document, an Agent, or a skill.',
  inspect: 'Show what an Agent would see of one MCP server, and check its tools, windows and documents.',
  add: 'Add an MCP server to the configuration of this machine.',
  remove: 'Remove MCP servers from the configuration of this machine.',
  import: 'Copy the MCP servers of VS Code, Claude, Cursor, Codex and Goose into the configuration of this machine.',
  bridge: 'Be an MCP server: the office for Claude, VS Code, Cursor and every other MCP client.',
  completion: 'Print the script that completes commands, options and values in a shell.',
  explain: 'Tell the cause of an error code and what to do; without one, list all codes.',
  vrl: 'Run a VRL script on an event and show its changes.',
} as const;
