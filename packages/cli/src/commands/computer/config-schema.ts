import { toJSONSchemas } from '@a2c-smcp/protocol';

/** The JSON Schema of a Computer's configuration file for editors. It refers to no other file. */
export function configSchema(): object {
  const { ComputerConfigFile = {}, ToolMeta = {} } = toJSONSchemas();
  const { $id: _, ...meta } = ToolMeta;
  const { $id: __, ...file } = ComputerConfigFile;
  const text = JSON.stringify({ ...file, $defs: { ToolMeta: meta } });
  return JSON.parse(text.replaceAll('"ToolMeta.json"', '"#/$defs/ToolMeta"'));
}
