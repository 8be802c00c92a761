import * as z from 'zod';

/** A JSON object. Anything else counts as absent, so that a malformed optional field does not cost the tool. */
const Lenient = z.record(z.string(), z.unknown()).optional().catch(undefined);

/** A tool as an MCP server describes it, with any further fields. */
export const McpTool = z.looseObject({
  name: z.string(),
  description: z.string().optional().catch(undefined),
  inputSchema: Lenient,
  outputSchema: Lenient,
  annotations: Lenient,
  _meta: Lenient,
});
export type McpTool = z.infer<typeof McpTool>;

/** A prompt as an MCP server describes it, with any further fields. Malformed optional fields count as absent. */
export const McpPrompt = z.looseObject({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  arguments: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional().catch(undefined),
        required: z.boolean().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  _meta: Lenient,
});
export type McpPrompt = z.infer<typeof McpPrompt>;

/** The part of a resource template that is used. */
export const ResourceTemplate = z.looseObject({ uriTemplate: z.string() });
export type ResourceTemplate = z.infer<typeof ResourceTemplate>;

/** Any result, unchecked. */
export const RawResult = z.record(z.string(), z.unknown());
export type RawResult = z.infer<typeof RawResult>;
