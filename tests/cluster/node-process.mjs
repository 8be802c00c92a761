// One node in a process of its own, which can be killed: needs the built packages and the address of a Redis.
import { SmcpServer } from '@a2c-smcp/server';

const { url } = await SmcpServer.listen({ port: 0, redis: process.argv[2] });
process.on('disconnect', () => process.exit());
process.send({ url });
