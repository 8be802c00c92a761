import { ConfigError } from '@a2c-smcp/protocol';
import type { VrlProgram } from '@a2c-smcp/vrl';
import type { ResultTransformer } from './transformer.ts';

interface Script {
  source: string;
  program: VrlProgram;
}

/**
 * Runs the `vrl` scripts of configurations on the results of their servers. A script is compiled once and again only
 * when it has changed; the engine is not even loaded before there is one.
 */
export function vrlTransformer(): ResultTransformer {
  const scripts = new Map<string, Script>();
  return {
    async prepare({ name, vrl }) {
      const source = vrl?.trim() ?? '';
      if (scripts.get(name)?.source === source) return;
      scripts.get(name)?.program.dispose();
      scripts.delete(name);
      if (source !== '') scripts.set(name, { source, program: await compile(name, source) });
    },

    transform({ server, tool, params, result }) {
      const script = scripts.get(server);
      if (!script) return undefined;
      return script.program.runJson(JSON.stringify({ ...result, tool_name: tool, parameters: params })).event;
    },
  };
}

async function compile(server: string, source: string): Promise<VrlProgram> {
  const { Vrl, VrlCompileError } = await import('@a2c-smcp/vrl');
  try {
    return await Vrl.compile(source);
  } catch (error) {
    if (!(error instanceof VrlCompileError)) throw error;
    const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`;
    throw new ConfigError(`servers.${server}.vrl`, `${error.message}${place}`, { cause: error });
  }
}
