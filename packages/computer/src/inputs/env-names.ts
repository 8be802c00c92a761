/** For whom an input is resolved. */
export interface InputContext {
  server?: string;
  tool?: string;
}

const PREFIX = 'A2C_SMCP_';

/**
 * The environment variables that may hold an input's value, the most specific first: with server and tool, with the
 * server, alone; each in its own case with other characters as `_`, then as written but in upper case.
 */
export function inputEnvNames(id: string, { server, tool }: InputContext = {}): string[] {
  const contexts = [
    ...(server !== undefined && tool !== undefined ? [[id, server, tool]] : []),
    ...(server !== undefined ? [[id, server]] : []),
    [id],
  ];
  const names = contexts.flatMap(parts => [
    PREFIX + parts.map(part => part.replace(/[^A-Za-z0-9_]/g, '_')).join('_'),
    PREFIX + parts.join('_').toUpperCase(),
  ]);
  return [...new Set(names)];
}

/** The environment variables that hold the value of several inputs at once, such as of `api-key` and `api_key`. */
export function sharedEnvNames(ids: readonly string[]): { variable: string; ids: string[] }[] {
  const users = new Map<string, string[]>();
  for (const id of ids) {
    for (const variable of inputEnvNames(id)) users.set(variable, [...(users.get(variable) ?? []), id]);
  }
  return [...users].filter(([, each]) => each.length > 1).map(([variable, each]) => ({ variable, ids: each }));
}
