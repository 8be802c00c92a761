import * as z from 'zod';
import { ComputerCallData } from './call.ts';

/** One window as text: its URI and, when it has a body, an empty line and the body. */
export const Desktop = z.string();
export type Desktop = z.infer<typeof Desktop>;

export const GetDeskTopReq = ComputerCallData.extend({
  /** How many windows at most. Absent or null: all. Zero or less: none. */
  desktop_size: z.int().nullish(),
  /** Only the window with this URI. */
  window: z.string().nullish(),
  /** Extension: a budget of characters over all windows, spent in their order. */
  max_chars: z.int().min(0).optional(),
});
export type GetDeskTopReq = z.infer<typeof GetDeskTopReq>;

export const GetDeskTopRet = z.looseObject({
  desktops: z.array(Desktop).optional(),
  req_id: z.string().optional(),
});
export type GetDeskTopRet = z.infer<typeof GetDeskTopRet>;
