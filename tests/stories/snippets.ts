import { transformSync } from 'esbuild';
import { blocksOf, pages } from './pages.ts';

/** A program that a page shows. */
export interface Snippet {
  page: string;
  /** Counted from 0 on its page. */
  index: number;
  code: string;
}

/** The programs of all pages. */
export const snippets: readonly Snippet[] = pages.flatMap(page =>
  blocksOf(page, 'ts', 'js').map((code, index) => ({ page, index, code })),
);

/** What the addresses of snippets stand for. */
export interface Addresses {
  /** The Server. */
  readonly url: string;
  readonly redis: string;
  /** A web server with the files of the packages. */
  readonly assets: string;
  /** An MCP server that needs a sign-in. */
  readonly service: string;
}

/** The snippet as plain JavaScript with the addresses of the test, which ends when it has reached its end. */
export function programOf({ code }: Snippet, { url, redis, assets, service }: Addresses): string {
  const plain = transformSync(code, { loader: 'ts', format: 'esm' }).code;
  const moved = plain
    .replaceAll('http://127.0.0.1:7000', url)
    .replaceAll(/redis:\/\/[\d.]+:6379/g, redis)
    .replaceAll(/https:\/\/(eu|us)\.example\.org/g, url)
    .replaceAll('https://id.example.org/token', 'data:text/plain,token')
    .replaceAll('https://example.org/assets', assets)
    .replaceAll('https://mcp.example.com/mcp', service)
    .replaceAll('port: 7000', 'port: 0')
    // Snippets run at the same time, and the default is a fixed port.
    .replaceAll(/\bSmcpServer\.listen\((?:\{|(?=\)))/g, opening =>
      opening.endsWith('{') ? `${opening} port: 0,` : `${opening}{ port: 0 }`,
    )
    .replaceAll('/srv/uploads', 'uploads')
    .replaceAll('/var/lib/desk/', '');
  return `${given(moved, url)}${moved}\nprocess.exit(0);\n`;
}

/** The names that the snippets of a document may use without declaring them. */
function given(code: string, url: string): string {
  if (!/(?<![.\w])agent\.|\(agent[,)]/.test(code) || /\bconst agent\b/.test(code)) return '';
  const options = "{ name: 'assistant', office: 'demo' }";
  const names = code.includes('new Agent(') ? OF_FRAMEWORKS : '';
  return `import { Agent as GivenAgent } from '@a2c-smcp/agent';\nconst agent = await GivenAgent.connect('${url}', ${options});\n${names}`;
}

/** Packages that are not installed, as far as snippets use them. The adapters are tested in tests/agent/frameworks.test.ts. */
export const frameworks = [
  { name: '@langchain/core', entry: './tools', text: 'export const tool = (run, fields) => ({ run, ...fields });' },
  { name: '@openai/agents', entry: '.', text: 'export const tool = options => options;' },
];

const OF_FRAMEWORKS = `const [name, instructions, model] = ['desk', 'Be brief', 'model'];
const isDestructive = () => true;
class Agent {
  constructor({ tools }) {
    if (Object.keys(tools).length === 0) throw new Error('No tools');
  }
}
const createAgent = options => new Agent(options);
`;

/** True if it brings the Computer 'desk' or the Agent of the office itself. */
export function bringsDesk({ code }: Snippet): boolean {
  return /\.join\(/.test(code);
}
