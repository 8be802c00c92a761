import { createInterface } from 'node:readline';
import { Random } from '../random.ts';
import { respond } from './answers.ts';

// An MCP server on standard streams that answers at random. Its argument is the seed.

const random = new Random(process.argv[2] ?? '');
createInterface({ input: process.stdin }).on('line', line => {
  for (const text of respond(JSON.parse(line), random)) process.stdout.write(`${text}\n`);
  if (random.chance(0.01)) process.exit(3);
});
