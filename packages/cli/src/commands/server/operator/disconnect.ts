import { defineCommand, UsageError } from '../../../command.ts';
import { readChoice } from '../../../options.ts';
import { jsonLine } from '../../../output/json.ts';
import { OperatorClient, operatorOptions } from './client.ts';

/** `a2c server disconnect` */
export const disconnect = defineCommand({
  summary: 'End the connection of a member. Clients of ours reconnect by themselves: withdraw a key to keep one away.',
  args: 'OFFICE NAME',
  options: {
    ...operatorOptions,
    role: { type: 'string', value: 'agent|computer', summary: 'Of an Agent and a Computer of the same name, this one' },
  },
  async run(context) {
    const { options, args, print, signal } = context;
    const [office, name, ...more] = args;
    if (office === undefined || name === undefined || more.length > 0) {
      throw new UsageError('Name the office and the member, as in: a2c server disconnect demo desk');
    }
    const role = options.role === undefined ? '' : `?role=${readChoice('--role', options.role, ['agent', 'computer'])}`;
    const path = `offices/${encodeURIComponent(office)}/members/${encodeURIComponent(name)}${role}`;
    const answer = await new OperatorClient(context).request<{ disconnected: number }>('DELETE', path, signal);
    print(options.json ? jsonLine(answer) : `Disconnected '${name}' in office '${office}'`);
  },
});
