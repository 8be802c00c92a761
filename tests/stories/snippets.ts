import { transformSync } from 'esbuild';
import { blocksOf, pages } from './pages.ts';

/** A program that a page shows. */
export interface Snippet {
  page: string;
  /** Counted from 0 on its page. */
  index: number;
  code: string;
}

/** Snippets that are only compiled, each known by a part of its text: why it cannot run here. */
export const notRunSnippets: readonly { part: string; reason: string }[] = [
  { part: "computer.signIn('github'", reason: 'needs a person at the page of a service' },
  { part: "fetch('https://id.example.org/token'", reason: 'asks an identity provider for tokens' },
  {
    part: "from '@langchain/core",
    reason: 'needs a package that is not installed; tests/agent/frameworks.test.ts plays it',
  },
  { part: 'https://example.org/assets/vrl.wasm', reason: 'is for a browser, which fetches the WebAssembly' },
];

/** The programs of all pages. */
export const snippets: readonly Snippet[] = pages.flatMap(page =>
  blocksOf(page, 'ts', 'js').map((code, index) => ({ page, index, code })),
);

/** The snippet as plain JavaScript with the addresses of the test, which ends when it has reached its end. */
export function programOf({ code }: Snippet, { url, redis }: { url: string; redis: string }): string {
  const plain = transformSync(code, { loader: 'ts', format: 'esm' }).code;
  const moved = plain
    .replaceAll('http://127.0.0.1:7000', url)
    .replaceAll(/redis:\/\/[\d.]+:6379/g, redis)
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
  return `import { Agent as GivenAgent } from '@a2c-smcp/agent';\nconst agent = await GivenAgent.connect('${url}', ${options});\n`;
}

/** True if it brings the Computer 'desk' or the Agent of the office itself. */
export function bringsDesk({ code }: Snippet): boolean {
  return /\.join\(/.test(code);
}
