import { closest } from '@a2c-smcp/protocol';
import { defineCommand, UsageError } from '../../command.ts';
import { summaries } from '../summaries.ts';
import { existing } from './add.ts';
import { removeFromFile } from './edit.ts';
import { changedFileOption, userConfigFile } from './location.ts';

/** `a2c remove` */
export const remove = defineCommand({
  summary: summaries.remove,
  args: 'NAME…',
  options: { ...changedFileOption },
  examples: ['a2c remove files'],
  async run({ options, args, env, print }) {
    const file = options.config ?? userConfigFile(env);
    const names = Object.keys((await existing(file)).servers);
    if (args.length === 0) throw new UsageError(`Which MCP server? '${file}' has ${names.join(', ') || 'none'}`);
    for (const name of args.filter(each => !names.includes(each))) {
      const near = closest(name, names);
      const hint = near ? `did you mean '${near}'?` : `it has ${names.join(', ') || 'none'}`;
      throw new UsageError(`'${file}' has no MCP server '${name}': ${hint}`);
    }
    for (const name of args) {
      await removeFromFile(file, name);
      print(`Removed '${name}' from ${file}`);
    }
  },
});
