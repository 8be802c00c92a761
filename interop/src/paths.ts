import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
/** The folder of the harness. */
export const interopFolder = join(root, 'interop');
/** Where environments of official releases are kept between runs; `npm ci` would empty one in node_modules. */
export const cacheFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'a2c-smcp-interop');
