import * as z from 'zod/mini';
import { closest } from './closest.ts';
import { ToolMeta } from './schemas/tools.ts';

/** Structures in which unknown fields are data, not typos. */
const open: ReadonlySet<unknown> = new Set([ToolMeta]);

/**
 * The same schema, refusing unknown fields at every depth. Wire schemas let a newer peer's fields pass; in a file
 * written by hand an unknown field is a typo.
 */
export function strict<S extends z.core.$ZodType>(schema: S): S {
  return rebuild(schema) as S;
}

function rebuild(schema: z.core.$ZodType): z.core.$ZodType {
  if (open.has(schema)) return schema;
  if (schema instanceof z.ZodMiniObject) return strictObject(schema.shape);
  if (schema instanceof z.ZodMiniArray) return z.array(strict(schema.def.element));
  if (schema instanceof z.ZodMiniRecord) return z.record(schema.def.keyType, strict(schema.def.valueType));
  if (schema instanceof z.ZodMiniOptional) return z.optional(strict(schema.def.innerType));
  if (schema instanceof z.ZodMiniNullable) return z.nullable(strict(schema.def.innerType));
  if (schema instanceof z.ZodMiniDiscriminatedUnion) {
    const options: unknown = schema.def.options.map(strict);
    const { discriminator } = schema.def as z.core.$ZodDiscriminatedUnionDef;
    return z.discriminatedUnion(discriminator, options as [z.core.$ZodTypeDiscriminable]);
  }
  if (schema instanceof z.ZodMiniUnion) {
    const error = schema.def.error as z.core.$ZodErrorMap | undefined;
    return z.union(schema.def.options.map(strict), error ? { error } : {});
  }
  return schema;
}

function strictObject(shape: Record<string, z.core.$ZodType>): z.core.$ZodType {
  const fields = Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, strict(field)]));
  return z.strictObject(fields, {
    error: issue => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const meant = closest(issue.keys[0] ?? '', Object.keys(shape));
      return meant === undefined ? 'unknown field' : `unknown field; did you mean '${meant}'?`;
    },
  });
}
