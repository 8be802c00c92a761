import http from 'node:http';
import { obey, settings, usage } from './obey.ts';

export interface WatcherSettings {
  /** The Servers. */
  urls: string[];
  key: string;
  /** Event streams on each. */
  streams: number;
}

const { urls, key, streams } = settings<WatcherSettings>();
const opened = urls.flatMap(url => Array.from({ length: streams }, () => watch(url)));
await Promise.all(opened);
obey('watching', usage);

/** Follows the event stream of an operator, and resolves with its first frame. Reads as a console does, and shows nothing. */
function watch(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = http.get(`${url}/api/v1/events`, { headers }, response => {
      response.on('data', () => resolve()).on('error', reject);
    });
    request.on('error', reject);
  });
}
