import { UsageError } from '../../../command.ts';
import { connectionOptions, readHeaders, readPairs } from '../../../options.ts';
import { shownUrl } from '../../../output/url.ts';
import type { ShellCommands } from './shell-command.ts';

const DEFAULT_CONNECTION = { office: connectionOptions.office.default, auth: {}, headers: {} };

/** The commands about the connection. */
export const officeCommands: ShellCommands = {
  'socket connect': {
    args: '[URL]',
    summary: 'Connect to a Server and join an office; asks for missing values',
    isPrivate: true,
    async run({ session, args, terminal, signal, print }) {
      const known = session.connection ?? DEFAULT_CONNECTION;
      const ask = async (what: string, fallback: string, shown = fallback) => {
        const answer = await terminal?.ask(`${what}${fallback ? ` [${shown}]` : ''}: `, { signal });
        if (answer === undefined) throw new UsageError('Not connected: the question was not answered');
        return answer === '' ? fallback : answer;
      };
      const knownUrl = session.url ?? connectionOptions.url.default;
      const askServer = () => ask('Server', knownUrl, shownUrl(knownUrl));
      const [url = await askServer()] = args;
      const office = args[1] ?? (await ask('Office', known.office));
      const auth = readPairs('auth', args.length > 0 ? '' : await ask('Auth as k:v,k2:v2, or nothing', ''));
      const headers = readHeaders('headers', args.length > 0 ? '' : await ask('Headers as k:v,k2:v2, or nothing', ''));
      const credentials = { auth: { ...known.auth, ...auth }, headers: { ...known.headers, ...headers } };
      await session.join(url, { office, ...credentials }, signal);
      print(`In office '${office}' of ${shownUrl(url)}`);
    },
  },
  'socket join': {
    args: 'OFFICE',
    summary: 'Join another office of the same Server',
    async run({ session, args: [office, name], signal, print }) {
      if (office === undefined) throw new UsageError('Which office?');
      if (session.url === undefined) throw new UsageError("Connect first: 'socket connect URL'");
      if (name !== undefined && name !== session.computer.name) {
        throw new UsageError(
          `This Computer is called '${session.computer.name}': start it with --name ${name} to change that`,
        );
      }
      await session.join(session.url, { ...(session.connection ?? DEFAULT_CONNECTION), office }, signal);
      print(`In office '${office}' of ${shownUrl(session.url)}`);
    },
  },
  'socket leave': {
    summary: 'Leave the office and disconnect',
    async run({ session, print }) {
      await session.computer.leave();
      print('Left');
    },
  },
  'notify update': {
    summary: 'Not needed here: every change is announced when it happens',
    async run({ print }) {
      print('Every change of tools, configuration, Desktop and Finder is announced when it happens.');
    },
  },
};
