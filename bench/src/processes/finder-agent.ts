import { Agent } from '@a2c-smcp/agent';
import { obey, settings } from './obey.ts';

/** So many queries one after the other; the answer is how many milliseconds each took. */
export interface FinderRequest {
  queries: number;
  keywords: string[];
  /** How many documents match. */
  matches: number;
}

const { url } = settings<{ url: string }>();
const agent = await Agent.connect(url, { name: 'a', office: 'bench', autoRefresh: [] });

obey('ready', async ({ queries, keywords, matches }: FinderRequest) => {
  const latencies: number[] = [];
  for (let n = 0; n < queries; n++) {
    const started = performance.now();
    const { totalCount } = await agent.getFinder('c', { keywords });
    latencies.push(performance.now() - started);
    if (totalCount !== matches) throw new Error(`${totalCount} documents match, not ${matches}`);
  }
  return latencies;
});
