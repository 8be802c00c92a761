import { ErrorCode, SmcpError } from '@a2c-smcp/protocol';
import { defineCommand } from '../../../command.ts';
import { jsonLine } from '../../../output/json.ts';
import { OperatorClient, operatorOptions } from './client.ts';

/** `a2c server console` */
export const consoleAddress = defineCommand({
  summary: 'Print an address that opens the console of a running Server in one more browser.',
  options: operatorOptions,
  async run(context) {
    const { options, print, signal } = context;
    const client = new OperatorClient(context);
    const answer = await client.request<{ address: string }>('POST', 'console/address', signal).catch(explain);
    print(options.json ? jsonLine(answer) : answer.address);
  },
});

function explain(error: unknown): never {
  const isMissing = error instanceof SmcpError && error.code === ErrorCode.NotFound;
  throw isMissing ? new SmcpError(error.code, 'The Server has no console: start it with --console') : error;
}
