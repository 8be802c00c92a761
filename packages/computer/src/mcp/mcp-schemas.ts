import * as z from 'zod';

/** A JSON object, or nothing: what is said in another form is not worth losing a tool. */
const Lenient = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** A tool as an MCP server describes it, whatever else it says. */
export const McpTool = z.looseObject({
  name: z.string(),
  description: z.string().optional().catch(undefined),
  inputSchema: Lenient,
  outputSchema: Lenient,
  annotations: Lenient,
  _meta: Lenient,
});
export type McpTool = z.infer<typeof McpTool>;

/** One page of tools, its entries unread: a bad one must not cost the others. The same holds for the next two. */
export const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
export const ResourcePage = z.looseObject({ resources: z.array(z.unknown()), nextCursor: z.string().nullish() });
export const TemplatePage = z.looseObject({
  resourceTemplates: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

/** What we use of a resource template. */
export const ResourceTemplate = z.looseObject({ uriTemplate: z.string() });
export type ResourceTemplate = z.infer<typeof ResourceTemplate>;

/** Any result at all: what is in it is between the server and whoever asked. */
export const RawResult = z.record(z.string(), z.unknown());
export type RawResult = z.infer<typeof RawResult>;

/** The entries that are what they should be; the others are given to `onOdd`. */
export function readable<S extends z.core.$ZodType>(
  entries: unknown[],
  schema: S,
  onOdd: (entry: unknown) => void,
): z.infer<S>[] {
  return entries.flatMap(entry => {
    const read = z.safeParse(schema, entry);
    if (!read.success) onOdd(entry);
    return read.success ? [read.data] : [];
  });
}
