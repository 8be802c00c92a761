import * as z from 'zod/mini';
import * as schemas from './schemas/index.ts';
import { strict } from './strict.ts';

/** The whole protocol as JSON Schema, keyed by type name, for implementations in other languages and for editors. */
export function toJSONSchemas(): Record<string, z.core.JSONSchema.BaseSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) {
    registry.add(id === 'ComputerConfigFile' ? strict(schema) : schema, { id });
  }
  return z.toJSONSchema(registry, { uri: id => `${id}.json`, override: removeSafeIntegerBounds }).schemas;
}

/** zod writes the bounds of JavaScript's integers into every integer; they are not the protocol's. */
function removeSafeIntegerBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
