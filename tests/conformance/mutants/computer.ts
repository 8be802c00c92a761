import { inFile } from './mutant.ts';

const computer = 'packages/computer/src';

/** Tools, configuration, inputs and answers of a Computer. */
export const computerMutants = [
  ...inFile(`${computer}/tools/catalog.ts`, [
    [
      'tools.fields',
      'a missing description is null',
      "description: tool.description ?? ''",
      'description: tool.description as string',
    ],
    ['tools.alias', 'the alias is ignored', 'const wanted = meta?.alias || tool.name;', 'const wanted = tool.name;'],
    [
      'tools.forbidden',
      'an alias cannot be forbidden',
      'forbidden === name || forbidden === meta?.alias',
      'forbidden === name',
    ],
    [
      'tools.duplicate.name',
      'the later one keeps the name',
      'acceptable(`${config.name}__${tool.name}`)',
      '`${config.name}.${tool.name}`',
    ],
    ['tools.duplicate.diagnostic', 'no diagnostic', 'if (name !== wanted)', 'if (false)'],
    ['bundle-id.shown', 'no bundle_id', '    bundle_id,\n    ...displayOf(tool)', '    ...displayOf(tool)'],
    ['names.both', 'only the form of the dialect', 'plain: new Map([...bundled, ...plain])', 'plain'],
  ]),
  ...inFile(`${computer}/tools/tool-meta.ts`, [
    [
      'tools.meta.own-keys',
      'structures stay structures',
      'return simple.success ? simple.data : asJson(value);',
      'return value as AttributeValue;',
    ],
    [
      'tools.meta.a2c',
      'unset fields are missing',
      'const unset = { auto_apply: null, alias: null, tags: null, ret_object_mapper: null };',
      'const unset = {};',
    ],
    [
      'tools.meta.annotation',
      'no annotations',
      '...(annotations ? { MCP_TOOL_ANNOTATION: asJson(annotations) } : {}),',
      '',
    ],
    [
      'tools.meta.merge',
      'the default wins',
      '...unset, ...general, ...Object.fromEntries(set)',
      '...unset, ...Object.fromEntries(set), ...general',
    ],
    [
      'tools.meta.declared-tags',
      'declared tags win',
      'merged.tags ?? declared ?? null',
      'declared ?? merged.tags ?? null',
    ],
    [
      'tools.meta.present',
      'no metadata without settings',
      'export function serializeMeta(',
      'export function serializeMeta2(): void {}\nexport function serializeMeta(',
    ],
  ]),
  ...inFile(`${computer}/tools/calls.ts`, [
    ['exec.errors', '4001 is 4002', 'return failure(ErrorCode.ToolNotFound', 'return failure(ErrorCode.ToolDisabled'],
    ['confirm.auto-apply', 'anything but false runs', 'meta?.auto_apply === true', 'meta?.auto_apply !== false'],
    [
      'confirm.refused',
      'a refusal is 4003',
      "return failure(ErrorCode.ConfirmationRequired, `Tool '${tool}' was not confirmed`)",
      "return failure(ErrorCode.ToolFailed, `Tool '${tool}' was not confirmed`)",
    ],
    [
      'history.attempts',
      'failed calls are not kept',
      'this.#records.push({',
      'if (error === null) this.#records.push({',
    ],
    ['vrl.result', 'another key', 'a2c_vrl_transformed: transformed', 'a2c_transformed: transformed'],
    ['calls.once', 'a repeated request runs again', 'if (known) return known;', ''],
  ]),
  ...inFile(`${computer}/tools/call-scope.ts`, [
    [
      'cancel.unknown',
      'any call is cancelled',
      'this.#pending.get(keyOf(id))?.abort.abort(CANCELLED);',
      'for (const { abort } of this.#pending.values()) abort.abort(CANCELLED);',
    ],
  ]),
  ...inFile(`${computer}/tools/failures.ts`, [
    [
      'upstream-auth.required',
      '401 is 4007',
      'if (cause.status === 401) return ErrorCode.UpstreamAuthRequired;',
      'if (cause.status === 401) return ErrorCode.UpstreamAuthFailed;',
    ],
    [
      'upstream-auth.failed',
      '403 is 4006',
      'if (cause.status === 403) return ErrorCode.UpstreamAuthFailed;',
      'if (cause.status === 403) return ErrorCode.UpstreamAuthRequired;',
    ],
    [
      'upstream-auth.unavailable',
      'an outage is 4006',
      'return outOfOrder.includes(code) ? undefined : ErrorCode.UpstreamAuthRequired;',
      'return ErrorCode.UpstreamAuthRequired;',
    ],
    ['upstream-auth.prompt', 'the server is not named', '{ mcp_server: server, auth_hint', '{ auth_hint'],
    [
      'upstream-auth.hint',
      'the hint repeats the error',
      'auth_hint: { action, message }',
      'auth_hint: { action, message: `${message} (${String(error)})` }',
    ],
    ['result.error-code', 'no code', 'failedResult(text, { error_code: code, ...meta })', 'failedResult(text, meta)'],
  ]),
  ...inFile(`${computer}/claims.ts`, [
    [
      'result.meta-key',
      'metadata is called _meta',
      '...(Object.keys(meta).length > 0 ? { meta } : {})',
      '...(Object.keys(meta).length > 0 ? { _meta: meta } : {})',
    ],
    ['result.tool-meta', 'no tool metadata', '...(toolMeta ? { a2c_tool_meta: toolMeta } : {})', ''],
  ]),
  ...inFile(`${computer}/config/placeholders.ts`, [
    [
      'inputs.placeholder',
      'lists are not filled',
      'if (Array.isArray(value)) return Promise.all(value.map(item => fill(item, lookUp, depth)));',
      'if (Array.isArray(value)) return value;',
    ],
    [
      'inputs.embedded',
      'the type is lost',
      'return value === undefined ? text : fill(value, lookUp, depth - 1);',
      'return value === undefined ? text : fill(asText(value), lookUp, depth - 1);',
    ],
    ['inputs.unknown', 'depth 30', 'const DEPTH = 10;', 'const DEPTH = 30;'],
  ]),
  ...inFile(`${computer}/inputs/env-names.ts`, [
    ['inputs.env-name', 'other characters stay', "part.replace(/[^A-Za-z0-9_]/g, '_')", 'part'],
    [
      'inputs.env-context',
      'the tool is not used',
      'server !== undefined && tool !== undefined ? [[id, server, tool]]',
      "false ? [[id, server ?? '', tool ?? '']]",
    ],
  ]),
  ...inFile(`${computer}/mcp/process/encodings.ts`, [
    [
      'config.encoding',
      'names of Python are unknown',
      'return webName(name) ?? webName',
      'return webName(name) ?? false ? undefined : webName',
    ],
  ]),
  ...inFile(`${computer}/office/handlers.ts`, [
    [
      'ack.req-id.echo',
      'the desktop has no req_id',
      "return fit('The desktop', { desktops, req_id });",
      "return fit('The desktop', { desktops });",
    ],
    [
      'ack.req-id.echo',
      'the finder has no req_id',
      'total_count: page.totalCount, req_id }',
      'total_count: page.totalCount }',
    ],
    [
      'mcp-server.either',
      'only names are known',
      'servers.nameOf(mcp_server, await session.dialect), cursor)',
      'mcp_server, cursor)',
    ],
    ['unknown.refused', 'unknown requests are not answered', '    replyIn(args)(toErrorPayload(unknown));\n', ''],
    [
      'limits.result',
      'large results are sent',
      'if (isFinished || fitsMessage(result, messageLimit())) return result;',
      'return result;',
    ],
    [
      'limits.answer',
      'large answers are sent',
      'if (fitsMessage(answer, limit)) return answer;',
      'if (limit > 0) return answer;',
    ],
  ]),
  ...inFile(`${computer}/runtime.ts`, [
    [
      'get-config.masked',
      'nothing is masked',
      ': maskConfig(definitions, configs, this.secrets.redact)',
      ': { inputs: [...definitions], servers: configs }',
    ],
    ['get-config.keys', 'always by name', "dialect === 'plain' ? server.name : server.bundle_id", 'server.name'],
    [
      'pick-string.shape',
      'always pairs',
      "options: dialect === 'plain' ? options.map(({ value }) => value) : options",
      'options',
    ],
    [
      'vrl.errors',
      'a script with a mistake starts',
      'throw new ConfigError(`servers.${config.name}.vrl`, describeError(cause), { cause });',
      'void cause;',
    ],
    [
      'env-file.read',
      'the file is not read',
      'await withEnvFile(await this.inputs.fill(config, user))',
      'await this.inputs.fill(config, user)',
    ],
  ]),
  ...inFile('packages/protocol/src/server-config.ts', [
    ['get-config.raw', 'vrl is lost', 'tool_meta, default_tool_meta, vrl };', 'tool_meta, default_tool_meta };'],
  ]),
];
