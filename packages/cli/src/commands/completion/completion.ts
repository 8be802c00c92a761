import { type Command, type CommandGroup, defineCommand, UsageError } from '../../command.ts';
import { readChoice } from '../../options.ts';
import { summaries } from '../summaries.ts';
import { complete } from './candidates.ts';
import { FILES, SHELLS, scripts } from './scripts.ts';

/** `a2c completion`, for the commands of a group. The scripts call it with `words` and the words of the command line. */
export function createCompletion(root: CommandGroup): Command {
  return defineCommand({
    summary: summaries.completion,
    args: SHELLS.join('|'),
    options: {},
    examples: [
      'eval "$(a2c completion bash)"     # in ~/.bashrc',
      'eval "$(a2c completion zsh)"      # in ~/.zshrc, after compinit',
      'a2c completion fish | source      # in ~/.config/fish/config.fish',
    ],
    async run({ args, print }) {
      const [shell, ...words] = args;
      if (shell === undefined) throw new UsageError(`Which shell? There are ${SHELLS.join(', ')}`);
      if (shell !== 'words') {
        print(scripts[readChoice('completion', shell, SHELLS)]);
        return;
      }
      const { candidates, takesFile } = await complete(root, words);
      for (const { word, summary } of candidates) print(`${word}\t${summary}`);
      if (takesFile) print(FILES);
    },
  });
}
