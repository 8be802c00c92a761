import { fileURLToPath } from 'node:url';
import { Bridge } from '@a2c-smcp/bridge';
import { Computer } from '@a2c-smcp/computer';
import { SmcpServer } from '@a2c-smcp/server';

const program = fileURLToPath(new URL('../../packages/cli/bin/a2c.js', import.meta.url));
const TINY_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const TINY_WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** A Server, a Computer and a bridge over HTTP. */
export interface Stage extends AsyncDisposable {
  /** The command line of a bridge on standard input and output. */
  command: [program: string, ...args: string[]];
  http: { url: string; token: string };
  /** How often a running call was cancelled at the Computer. */
  cancelled(): number;
  /** Lets a second Computer enter the office until the returned function is called. */
  addComputer(): Promise<() => Promise<void>>;
}

export async function setStage(): Promise<Stage> {
  let cancelled = 0;
  const wait = {
    description: 'Runs until it is cancelled',
    run: (_: object, { signal }: { signal: AbortSignal }) =>
      new Promise(resolve =>
        signal.addEventListener('abort', () => {
          cancelled += 1;
          resolve('cancelled');
        }),
      ),
  };
  const server = await SmcpServer.listen({ port: 0, gracePeriod: 0 });
  const computer = await Computer.open({ name: 'desk', tools: { ...tools, ...conformanceTools, wait } });
  await computer.join(server.url, { office: 'clients' });
  const bridge = new Bridge({ url: server.url, office: 'clients', name: 'bridge', share: true });
  const { url, token } = await bridge.listen();
  return {
    command: [process.execPath, program, 'bridge', '--url', server.url, '--office', 'clients'],
    http: { url, token },
    cancelled: () => cancelled,
    async addComputer() {
      const other = await Computer.open({ name: 'laptop', tools });
      await other.join(server.url, { office: 'clients' });
      return () => other.close();
    },
    async [Symbol.asyncDispose]() {
      await bridge.close();
      await computer.close();
      await server.close();
    },
  };
}

const tools = {
  echo: {
    description: 'Returns its text',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    annotations: { readOnlyHint: true },
    run: ({ text }: { text?: string }) => text ?? '',
  },
  'files.read all/ü': { description: 'A name that clients refuse', run: () => 'read' },
};

const description = 'For the conformance suite';
const embedded = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});
const image = { type: 'image', data: TINY_PNG, mimeType: 'image/png' };

/** The tools that the scenarios of the conformance suite call. */
const conformanceTools = {
  test_simple_text: { description, run: () => 'This is a simple text response for testing.' },
  test_image_content: { description, run: () => ({ content: [image] }) },
  test_audio_content: {
    description,
    run: () => ({ content: [{ type: 'audio', data: TINY_WAV, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description,
    run: () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'An embedded resource')] }),
  },
  test_multiple_content_types: {
    description,
    run: () => ({
      content: [{ type: 'text', text: 'Several:' }, image, embedded('test://mixed', 'application/json', '{"value":1}')],
    }),
  },
  test_error_handling: {
    description,
    run: () => {
      throw new Error('This tool intentionally returns an error for testing');
    },
  },
  json_schema_2020_12_tool: {
    description,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: () => 'valid',
  },
};
