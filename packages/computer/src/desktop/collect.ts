import type { Listed, Published } from '../views/published.ts';
import { describeContents, describeWindow } from './describe.ts';
import type { PublishedWindow } from './organize.ts';

const UNREADABLE = 'A window is left out: it could not be read';

/**
 * The windows of all servers with what is in them, in the order the servers list them. A window that cannot be read
 * in time is left out.
 *
 * @param window only windows with this URI, as published or without its query
 */
export async function collectWindows(published: Published, window?: string | null): Promise<PublishedWindow[]> {
  const listed = await published.list('desktop');
  const windows = await Promise.all(
    listed.map(entry => {
      const { uri, problems } = describeWindow(entry.resource);
      published.report(entry, problems);
      const isWanted = !isPresent(window) || window === uri || window === entry.resource.uri;
      return uri !== undefined && isWanted ? readWindow(published, entry) : [];
    }),
  );
  return windows.flat();
}

async function readWindow(published: Published, entry: Listed): Promise<PublishedWindow[]> {
  const { publisher, resource } = entry;
  const cause = { mcp_server: publisher.server, uri: resource.uri };
  try {
    const { contents } = await publisher.read(resource.uri);
    published.warnings.settle(UNREADABLE, cause);
    const list = Array.isArray(contents) ? contents : [];
    published.report(entry, describeContents(list).problems);
    return [{ server: publisher.server, resource, contents: list }];
  } catch (error) {
    published.warnings.warn(UNREADABLE, cause, { error });
    return [];
  }
}

function isPresent(window: string | null | undefined): window is string {
  return window !== undefined && window !== null;
}
