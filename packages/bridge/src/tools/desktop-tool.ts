import { desktopPrompt } from '@a2c-smcp/agent';
import type { OfficeAccess } from '../office-access.ts';
import { parseOfficeUri } from '../resources/office-uri.ts';
import { numberArgument, textArgument } from './arguments.ts';
import { type BuiltInTool, builtInDefinition } from './built-in.ts';
import { textResult } from './results.ts';

const READ_TIMEOUT_MS = 15_000;
/** Characters over all windows. Some clients cut or drop longer results. */
const DEFAULT_MAX_CHARS = 40_000;

/** Shows the windows of one Computer or of all. */
export function desktopTool(access: OfficeAccess): BuiltInTool {
  return {
    definition: builtInDefinition({
      name: 'desktop',
      title: 'Desktop',
      description:
        'Shows the windows of the computers: the current state of their programs as text, the most important first. ' +
        'Look at it before and after you act.',
      properties: {
        computer: { type: 'string', description: 'Only this computer. All of them by default.' },
        window: { type: 'string', description: 'Only the window with this URI (window://… or a2c://…).' },
        max_chars: { type: 'integer', minimum: 0, description: `At most so many characters (${DEFAULT_MAX_CHARS}).` },
      },
    }),
    run(args, signal) {
      return access.request(async agent => {
        const named = parseOfficeUri(textArgument(args, 'window') ?? '');
        const window = named?.kind === 'window' ? named.uri : textArgument(args, 'window');
        const wanted = textArgument(args, 'computer') ?? named?.computer;
        const computers = wanted === undefined ? access.computers(agent) : [access.computer(agent, wanted)];
        const maxChars = numberArgument(args, 'max_chars') ?? DEFAULT_MAX_CHARS;
        const options = {
          computers,
          maxChars,
          timeout: READ_TIMEOUT_MS,
          signal,
          ...(window !== undefined && { window }),
        };
        return textResult(await desktopPrompt(agent, options));
      });
    },
  };
}
