import { closest, findTool, type SMCPTool, toolsCalled } from '@a2c-smcp/protocol';
import { UsageError } from '../../command.ts';
import type { ComputerTools } from './connect.ts';

/** The Computer that has the tool, and the tool itself. */
export function pickTool(lists: readonly ComputerTools[], name: string): { computer: string; tool: SMCPTool } {
  const [found, ...others] = lists.flatMap(({ computer, tools }) => {
    const tool = findTool(tools, name);
    return tool ? [{ computer, tool }] : [];
  });
  if (found && others.length > 0) {
    const places = [found, ...others].map(place => place.computer).join(', ');
    throw new UsageError(`Several Computers have a tool '${name}' (${places}): choose with -c NAME`);
  }
  if (found) return found;
  const meant = lists.flatMap(({ tools }) => toolsCalled(tools, name)).map(tool => tool.name);
  if (meant.length > 0) throw new UsageError(`Several tools are called '${name}': choose one of ${meant.join(', ')}`);
  const names = lists.flatMap(({ tools }) => tools).flatMap(tool => [tool.name, shortName(tool)]);
  const near = closest(name, names);
  throw new UsageError(`No tool '${name}' here: ${near ? `did you mean '${near}'?` : "'a2c agent tools' lists them"}`);
}

/** The name without the `bundle_id`, as people may type it. */
function shortName({ name, bundle_id }: SMCPTool): string {
  const prefix = `${bundle_id ?? ''}__`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
