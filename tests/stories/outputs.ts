/** The outputs of commands that pages show. Any port and any token may be in the place of those that are shown. */
export const outputs = [
  {
    page: 'docs/guide/bridge.md',
    command: 'a2c bridge --office demo --http',
    shows: 'http://127.0.0.1:7010/mcp\nAuthorization: Bearer qL3v…',
  },
  {
    page: 'docs/guide/console.md',
    command: 'a2c computer --config mcp.json --console',
    shows: 'http://127.0.0.1:7300/#token=TOKEN',
  },
  {
    page: 'docs/guide/console.md',
    command: 'a2c server --console',
    shows: 'http://127.0.0.1:7000/console/#token=TOKEN',
  },
];

/** Matches such a text. */
export function patternOf(text: string): RegExp {
  return new RegExp(
    text
      .replaceAll(/[./?]/g, '\\$&')
      .replaceAll(/:\d{4}/g, ':\\d+')
      .replaceAll(/TOKEN|\w+…/g, '\\S+'),
  );
}
