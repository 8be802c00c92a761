import * as z from 'zod/mini';
import { ComputerCallData } from './call.ts';

/** One window as text: its URI and, when it has a body, an empty line and the body. */
export const Desktop = z.string();
export type Desktop = z.infer<typeof Desktop>;

export const GetDeskTopReq = z.extend(ComputerCallData, {
  /** Maximum number of windows. Absent or null: all. Zero or less: none. */
  desktop_size: z.nullish(z.int()),
  /** Only the window with this URI. */
  window: z.nullish(z.string()),
  /** Extension: a budget of characters over all windows, spent in their order. */
  max_chars: z.nullish(z.int().check(z.minimum(0))),
});
export type GetDeskTopReq = z.infer<typeof GetDeskTopReq>;

export const GetDeskTopRet = z.looseObject({
  desktops: z.optional(z.array(Desktop)),
  req_id: z.optional(z.string()),
});
export type GetDeskTopRet = z.infer<typeof GetDeskTopRet>;
