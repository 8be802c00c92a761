import * as z from 'zod/mini';
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

/** The candidate that takes the fewest edits from `word`, if that is at most a third of its letters. */
function closest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map(candidate => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, candidate.length / 3))
    .toSorted((a, b) => a.edits - b.edits);
  return best?.candidate;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
