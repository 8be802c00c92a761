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
    [
      'tools.meta.present',
      'no metadata without settings',
      'meta: serializeMeta(tool, meta),',
      'meta: meta && serializeMeta(tool, meta),',
    ],
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
  ]),
  ...inFile(`${computer}/tools/calls.ts`, [
    ['exec.errors', '4001 is 4002', 'return failure(ErrorCode.ToolNotFound', 'return failure(ErrorCode.ToolDisabled'],
    [
      'confirm.refused',
      'a refusal is 4003',
      'failure(ErrorCode.ConfirmationRequired, `Tool',
      'failure(ErrorCode.ToolFailed, `Tool',
    ],
    [
      'history.attempts',
      'failed calls are not kept',
      'this.#records.push(record);',
      'if (error === null) this.#records.push(record);',
    ],
    ['vrl.result', 'another key', 'a2c_vrl_transformed: transformed', 'a2c_transformed: transformed'],
  ]),
  ...inFile(`${computer}/tools/call-scope.ts`, [
    ['calls.once', 'a repeated request runs again', 'if (known) return known;', ''],
    [
      'cancel.unknown',
      'any call is cancelled',
      'this.#pending.get(keyOf(id))?.abort.abort(CANCELLED);',
      'for (const { abort } of this.#pending.values()) abort.abort(CANCELLED);',
    ],
  ]),
  ...inFile(`${computer}/tools/failures.ts`, [
    ['upstream-auth.action', 'a word of its own', "'user_authorization_required'", "'authorize'"],
    [
      'upstream-auth.required',
      '401 is 4007',
      "const isRequired = cause.problem === 'required';",
      "const isRequired = cause.problem !== 'required';",
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
      'result.forged',
      'the markers stay',
      '.filter(([key]) => !isReserved(key))',
      '.filter(([key]) => key || isReserved(key))',
    ],
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
    ['blob.offload.earlier', 'one limit for all', 'drains ? messageLimit() : earlierLimit()', 'messageLimit()'],
    [
      'ack.req-id.echo',
      'the desktop has no req_id',
      "return fit('The desktop', { desktops, req_id });",
      "return fit('The desktop', { desktops });",
    ],
    ['ack.req-id.echo', 'the finder has no req_id', 'total_count: totalCount, req_id }', 'total_count: totalCount }'],
    [
      'mcp-server.either',
      'only names are known',
      'servers.nameOf(mcp_server, await session.dialect), cursor)',
      'mcp_server, cursor)',
    ],
    ['unknown.refused', 'unknown requests are not answered', '    replyIn(args)(toErrorPayload(unknown));\n', ''],
    [
      'limits.answer',
      'large answers are sent',
      'if (fitsMessage(answer, limit)) return answer;',
      'if (limit > 0) return answer;',
    ],
  ]),
  ...inFile(`${computer}/resources/view.ts`, [
    ['finder-change.named', 'pages are named', 'return documentUri(uri);', 'return uri;'],
    ['finder-change.named', 'any number is named', 'const MAX_NAMED = 100;', 'const MAX_NAMED = 1000;'],
    ['finder-change.named', 'any length is named', 'MAX_NAMES_LENGTH = 4096', 'MAX_NAMES_LENGTH = 65_536'],
  ]),
  ...inFile(`${computer}/finder/search.ts`, [
    ['search.hits', 'a page counts twice', 'if (hits.has(uri)) continue;', ''],
    ['search.hits', 'all hits are taken', 'raw.slice(0, MAX_HITS)', 'raw'],
    ['search.filter', 'the type is not kept', "keywords.length > 0 || fileType !== ''", 'keywords.length > 9'],
    ['search.partial', 'one that fails fails all', 'return { server };\n    }\n  };', 'throw error;\n    }\n  };'],
    ['search.rank', 'the rank alone counts', 'Math.max(mentioned, 0.5)', 'Math.max(mentioned, terms.length)'],
  ]),
  ...inFile(`${computer}/finder/shelf.ts`, [
    [
      'search.hits',
      'any URI is a document',
      'return this.#byUri.get(uri);',
      'return this.#byUri.get(uri) ?? this.#documents[0];',
    ],
  ]),
  ...inFile(`${computer}/mcp/transport/http.ts`, [
    ['upstream-auth.failed', '403 is 4006', "status === 401 ? 'required' : 'refused'", "'required'"],
  ]),
  ...inFile(`${computer}/office/presence.ts`, [
    [
      'auth.no-mcp-secrets',
      'the configuration is sent',
      "role: 'computer', name, logger, prepare }",
      "auth: { servers: runtime.servers.configs }, role: 'computer', name, logger, prepare }",
    ],
  ]),
  ...inFile(`${computer}/runtime.ts`, [
    ['search.tool', 'every tool runs', 'const why = this.#refusal(call);', 'const why = undefined;'],
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
  ...inFile(`${computer}/config/bundle-id.ts`, [
    ['bundle-id.derived', 'runs stay', ".replace(/_+/g, '_')", ''],
    ['bundle-id.fallback', 'another digest', 'digest.slice(0, 16)', 'digest.slice(0, 8)'],
  ]),
  ...inFile(`${computer}/mcp/supervisor/mcp-servers.ts`, [
    ['bundle-id.conflict', 'the later one wins', 'if (!owner || this.#servers.get(owner.name) !== owner) this', 'this'],
    ['lifecycle.update', 'a removed server stays', '      this.#servers.delete(name);\n', ''],
  ]),
  ...inFile(`${computer}/mcp/session/direct-requests.ts`, [
    ['cancel.forwarded', 'another request is cancelled', 'requestId: id, reason', 'requestId: id + 1, reason'],
  ]),
  ...inFile(`${computer}/inputs/inputs.ts`, [
    [
      'inputs.chain',
      'asked before the store',
      "if (found !== undefined) return { from: 'environment', variable, value: found };",
      '',
    ],
    ['inputs.lazy', 'resolved for each server', 'if (known) return known;', ''],
    [
      'inputs.env-collision',
      'no warning',
      'for (const { variable, ids } of sharedEnvNames(definitions.map(({ id }) => id))) {',
      'for (const { variable, ids } of sharedEnvNames([])) {',
    ],
    [
      'placeholders.fixed',
      'the home is not replaced',
      "if (kind === 'userHome') return homedir();",
      "if (kind === 'userHome') return undefined;",
    ],
    ['pick-string.value', 'any value', "if (input.type !== 'pickString' ||", 'if (true ||'],
  ]),
  ...inFile(`${computer}/inputs/command-output.ts`, [
    ['inputs.command', 'the line break stays', '.replace(/\\r?\\n$/', '.replace(/never$/'],
  ]),
  ...inFile(`${computer}/office/announcements.ts`, [
    [
      'lifecycle.announce',
      'tools are not announced',
      "if (tools !== this.#announcedTools && this.#send('server:update_tool_list')) this.#announcedTools = tools;",
      'this.#announcedTools = tools;',
    ],
    ['names.changed', 'nothing is announced', 'if (!isChanged) return;', 'return;'],
  ]),
  ...inFile(`${computer}/blobs/spool.ts`, [
    ['blob.parts', 'the end is not told', 'eof: offset + wanted === size', 'eof: false'],
    ['blob.parts.any-order', 'only from the beginning', 'readAt(path, offset, wanted)', 'readAt(path, 0, wanted)'],
    ['blob.errors', 'a range is gone', "throw notAccessible('range'", "throw notAccessible('gone'"],
    ['blob.handles.owner', 'anybody may read', 'if (entry.owner !== owner) throw', 'if (false) throw'],
    [
      'blob.handles.limits',
      'nothing makes room',
      'if (this.#bytes <= this.#maxBytes && this.#entries.size <= MAX_ENTRIES) return;',
      'return;',
    ],
  ]),
  ...inFile(`${computer}/blobs/offload.ts`, [
    ['blob.offload', 'the handle is missing', 'a2c_blob_handle: handle, a2c_total_size', 'a2c_total_size'],
    ['blob.offload.keys', 'no sum', 'a2c_total_size: size, a2c_sha256: sha256 }', 'a2c_total_size: size }'],
    ['blob.offload.copies', 'copies stay', '?.copies.push(pointer)', ''],
    [
      'blob.offload.note',
      'no note',
      "return [block, { type: 'text' as const",
      "return [block].slice(0, 1) ?? [block, { type: 'text' as const",
    ],
  ]),
  ...inFile(`${computer}/blobs/unfinished-upload.ts`, [
    ['upload.range', 'parts may overlap', 'if (offset === this.#received) return;', 'return;'],
  ]),
  ...inFile(`${computer}/skills/names.ts`, [
    [
      'skills.name.malformed',
      'any name',
      'return isSkillSegment(first) && (second === undefined || isSkillSegment(second));',
      'return true;',
    ],
  ]),
  ...inFile(`${computer}/skills/mime-types.ts`, [
    ['skills.file.mime', 'another type for Markdown', "{ md: 'text/markdown'", "{ md: 'text/plain'"],
  ]),
  ...inFile(`${computer}/skills/paths.ts`, [
    [
      'skills.file.traversal',
      'any path',
      "if (plain === undefined) throw fileError('traversal', path);",
      "if (plain === undefined) throw fileError('not_found', path);",
    ],
    [
      'skills.file.forbidden',
      'credentials are served',
      "if (isCredentialsPath(path)) throw fileError('forbidden', path);",
      '',
    ],
  ]),
  ...inFile(`${computer}/mcp/transport/create.ts`, [
    ['config.effects', 'headers are not sent', 'headers: { ...basic, ...texts(headers) }', 'headers: { ...basic }'],
    ['config.effects', 'the session always ends', 'terminateOnClose: terminate_on_close', 'terminateOnClose: true'],
  ]),
  ...inFile(`${computer}/tools/calls.ts`, [
    [
      'result.failure',
      'a failure is no error',
      'result = this.#explain(error, call, { route: target?.route, reason: abort.reason, isAsking: pending.isAsking });',
      'throw error;',
    ],
  ]),
  ...inFile(`${computer}/mcp/supervisor/mcp-server.ts`, [
    ['tools.disabled', 'a disabled server starts', '    if (this.#config.disabled) return;\n', ''],
  ]),
  ...inFile(`${computer}/runtime.ts`, [
    [
      'inputs.password',
      'secrets are logged',
      'secrets.guard(guardLogger(options.logger))',
      'guardLogger(options.logger)',
    ],
    ['env-file.secret', 'its values are no secrets', '    this.secrets.add(secretsOf(filled), config.name);\n', ''],
  ]),
];
