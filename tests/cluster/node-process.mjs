// A Server in a process of its own, which can be killed: needs the built packages, and gets its options as JSON. Blocks its
// event loop for as many milliseconds as a message says.
import { SmcpServer } from '@a2c-smcp/server';

const { url } = await SmcpServer.listen({ port: 0, ...JSON.parse(process.argv[2] ?? '{}') });
process.on('disconnect', () => process.exit());
process.on('message', milliseconds => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds));
process.send({ url });
