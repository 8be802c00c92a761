import { inFile } from './mutant.ts';

/** Agents, and what they share with Computers. */
export const agentMutants = [
  ...inFile('packages/agent/src/agent.ts', [
    [
      'navigate.helpers',
      'ten pages by default',
      'const { offset = 0, limit = 20, ...options } = index;',
      'const { offset = 0, limit = 10, ...options } = index;',
    ],
    ['event.client.get-desktop', 'the size is lost', 'desktop_size: size', 'size'],
    ['inputs.types', 'the types stay', 'config.inputs.map(plainInput)', 'config.inputs'],
    ['event.client.get-finder', 'the type is lost', 'file_type: fileType', 'fileType'],
  ]),
  ...inFile('packages/agent/src/search.ts', [
    ['search.rank', 'Computer by Computer', '.toSorted((a, b) => b.hit.score - a.hit.score)', ''],
    ['search.ignored', 'one that fails fails all', 'options.signal?.throwIfAborted();', 'if (computer) throw error;'],
  ]),
  ...inFile('packages/agent/src/documents.ts', [
    [
      'navigate.known',
      'pages without a hash are not read',
      'hash === undefined || hash !== before',
      'hash && hash !== before',
    ],
    [
      'navigate.known',
      'pages without an index are not read',
      'if (pages.length === 0) yield*',
      'if (offset < 0) yield*',
    ],
    [
      'navigate.lenient',
      'a missing uri is refused',
      'doc_ref: docRef, uri: address, file_uri',
      'doc_ref: docRef, file_uri',
    ],
    [
      'documents.format',
      'plain text is refused',
      "if (format !== 'json' && !isObject(readJson(body))) {",
      'if (false as boolean) {',
    ],
  ]),
  ...inFile('packages/agent/src/office-view.ts', [
    [
      'react.enter',
      'nothing is fetched',
      "this.#options.events.emit('enter', { computer });\n    }\n    await this.#request(computer, ['tools']);",
      "this.#options.events.emit('enter', { computer });\n    }",
    ],
    [
      'react.leave',
      'the tools stay',
      'if (this.computers.delete(computer)) this',
      'if (this.computers.has(computer)) this',
    ],
    [
      'react.tools',
      'a new configuration does not count',
      "this.#changed(computer, ['config', 'tools'])",
      "this.#changed(computer, ['config'])",
    ],
    [
      'react.views',
      'the finder is not fetched',
      "this.#changed(computer, ['finder'], uris)",
      "this.#changed(computer, ['desktop'], uris)",
    ],
    ['retry.codes', 'nine times', 'const RETRY_LIMIT = 3;', 'const RETRY_LIMIT = 9;'],
  ]),
  ...inFile('packages/agent/src/requests.ts', [
    [
      'agent-timeout.cancels',
      'the Computer is not told',
      '      this.#cancel(agent, req_id);\n      return timedOutResult',
      '      return timedOutResult',
    ],
    [
      'event.server.tool-call-cancel',
      'another id',
      "emit('server:tool_call_cancel', { agent, req_id })",
      "emit('server:tool_call_cancel', { agent, req_id: `${req_id}x` })",
    ],
    [
      'log.hops',
      'the Agent logs nothing',
      "this.#logger.warn('A request failed'",
      "this.#logger.debug('A request failed'",
    ],
  ]),
  ...inFile('packages/peer/src/peer.ts', [
    [
      'version.sent',
      'an older version',
      'this.#isNegotiating ? NEWEST_VERSION : protocolVersion',
      "this.#isNegotiating ? '0.2.0' : protocolVersion",
    ],
    [
      'version.client.auto',
      'no second attempt',
      'if (version === undefined || version === this.protocolVersion) throw error;',
      'if (error) throw error;',
    ],
    ['event.guard', 'a Computer may call', "if (this.role === 'computer' && event in clientEvents)", 'if (false)'],
    ['connect.path', 'the path is fixed', 'readAddresses(urls, { path,', "readAddresses(urls, { path: '/socket.io/',"],
    ['reconnect.rejoin', 'no return', '    void this.#rejoin();\n', ''],
    ['reconnect.takeover', 'a new id each time', 'instance_id: this.#instanceId,', ''],
  ]),
  ...inFile('packages/agent/src/agent.ts', [
    ['names.agent', 'the name is sent as it is', '?.name ?? tool;', '?.bundle_id !== undefined ? tool : tool;'],
  ]),
  ...inFile('packages/agent/src/skill-prompt.ts', [
    ['skills.render', 'the placeholder stays', 'text.replaceAll(FOLDER_PLACEHOLDER, () => path)', 'path ? text : text'],
  ]),
  ...inFile('packages/agent/src/requests.ts', [
    ['blob.part-size', 'parts of any length', 'max_chunk_bytes: this.partBytes', 'max_chunk_bytes: 2 ** 30'],
    [
      'upstream-auth.no-retry',
      'one more call',
      'if (!result.content.some(isOffloaded)) return result;',
      "if (Number(result.meta?.error_code) >= 4006) await this.#call('client:tool_call', { ...request, req_id: requestId() }, options);\n      if (!result.content.some(isOffloaded)) return result;",
    ],
  ]),
  ...inFile('packages/peer/src/refusal.ts', [
    [
      'version.client.error',
      'another code',
      'ErrorCode.VersionMismatch,\n    `The Server',
      'ErrorCode.BadRequest,\n    `The Server',
    ],
    [
      'auth.refused',
      'it does not say why',
      'return new SmcpError(ErrorCode.Unauthorized, refused(address, reason)',
      "return new SmcpError(ErrorCode.Internal, reason && 'It failed'",
    ],
    ['version.client.close-4900', 'another close code', 'VERSION_CLOSE_CODE = 4900', 'VERSION_CLOSE_CODE = 4901'],
  ]),
  ...inFile('packages/peer/src/peer.ts', [
    [
      'auth.role',
      'the role is sent',
      'instance_id: this.#instanceId,',
      'instance_id: this.#instanceId,\n      role: this.role,',
    ],
    [
      'auth.carrier',
      'no headers',
      "address.headers = given(await renew('headers', headers, { timeout: left(), signal }));",
      '',
    ],
  ]),
  ...inFile('packages/peer/src/connect.ts', [
    [
      'version.client.polling-first',
      'WebSocket first',
      "['websocket'] : ['polling', 'websocket']",
      "['websocket'] : ['websocket', 'polling']",
    ],
  ]),
  ...inFile('packages/peer/src/credentials.ts', [
    ['auth.function', 'another code', 'new SmcpError(ErrorCode.Unauthorized,', 'new SmcpError(ErrorCode.Internal,'],
  ]),
  ...inFile('packages/agent/src/drain.ts', [
    [
      'blob.drain.order',
      'the last comes first',
      'return { ...result, content };',
      'return { ...result, content: content.reverse() };',
    ],
  ]),
  ...inFile('packages/peer/src/channel.ts', [
    [
      'ack.own-disconnect',
      'calls wait for their timeout',
      "for (const { reject } of this.#pending.takeAll()) reject(unanswered('disconnected'));",
      '',
    ],
  ]),
  ...inFile('packages/agent/src/blobs.ts', [
    ['blob.cap', 'no cap', 'if (size > budget.left) throw', 'if (false) throw'],
    [
      'blob.drift',
      'changes are not noticed',
      'if (part.total_size !== this.#data.length || part.sha256.toLowerCase() !== this.#sha256) throw changed();',
      '',
    ],
  ]),
  ...inFile('packages/agent/src/drain.ts', [
    ['blob.drain', 'bytes stay away', 'return withData(block, data);', 'return block;'],
    ['blob.missing', 'the result fails', 'return missing(block, markers, error);', 'throw error;'],
    [
      'blob.copies',
      'copies stay empty',
      'for (const copy of markers.a2c_copies ?? []) putBack(result.structuredContent, copy, data);',
      '',
    ],
  ]),
  ...inFile('packages/agent/src/upload.ts', [
    [
      'upload.given-up',
      'the Computer is not told',
      "this.#requests.send('client:put_blob', subject).catch(() => {});",
      '',
    ],
  ]),
];

const publish = 'packages/publish/src';

/** Mutants of what MCP servers publish. */
export const documentMutants = [
  ...inFile(`${publish}/content/element.ts`, [
    [
      'documents.content',
      'a formula is a text',
      'content: { expression, ...facts }',
      'content: { text: expression, ...facts }',
    ],
  ]),
  ...inFile('packages/documents/src/file.ts', [
    [
      'documents.read-only',
      'reading touches the file',
      '      return new FileSource(fd);',
      "      await (await import('node:fs/promises')).utimes(location.path, 1, 1);\n      return new FileSource(fd);",
    ],
  ]),
  ...inFile(`${publish}/published-resources.ts`, [
    ['mcp-server.capability', 'nothing is declared', '{ subscribe: true, listChanged: true }', '{}'],
    ['mcp-server.notifies', 'no updates', '...wanted.map(uri => server.sendResourceUpdated({ uri })),', ''],
  ]),
  ...inFile(`${publish}/documents.ts`, [
    [
      'documents.templates',
      'one template',
      'uriTemplate: `${document}/elements/{element_id}`',
      'uriTemplate: `${document}/parts/{element_id}`',
    ],
  ]),
  ...inFile(`${publish}/levels.ts`, [
    ['documents.catalogue', 'no number', 'documents, total_count: total,', 'documents, total_count: 0,'],
    [
      'documents.document',
      'ten pages by default',
      'offset = 0, limit = 20, format } = query',
      'offset = 0, limit = 10, format } = query',
    ],
    ['documents.page', 'counts all elements', 'element_count: chosen.length', 'element_count: elements.length'],
    ['documents.element', 'no page', '    page_index: found.page,\n', ''],
    [
      'documents.format',
      'no Markdown',
      "...(format === 'markdown' && { content_markdown: render(",
      "...(format === 'json' && { content_markdown: render(",
    ],
  ]),
  ...inFile('packages/documents/src/sessions/local.ts', [
    ['documents.hash', 'places count', 'pageHash.add(json)', 'pageHash.add(JSON.stringify({ ...stored, metadata }))'],
    ['documents.hash', 'rows that are not shown do not count', '      pageHash.addBytes(rows);\n', ''],
  ]),
  ...inFile('packages/documents/src/search-tool.ts', [
    ['search.mcp-server', 'it says nothing', 'document_search: true', 'document_search: false'],
    [
      'search.mcp-server',
      'all types are searched',
      'limit: Math.min(limit, MAX_HITS), fileType, signal',
      'limit, signal',
    ],
  ]),
  ...inFile(`${publish}/finder-error.ts`, [
    [
      'documents.errors',
      '4202 is 4201',
      'new SmcpError(ErrorCode.PageOutOfRange',
      'new SmcpError(ErrorCode.DocumentNotFound',
    ],
  ]),
  ...inFile(`${publish}/content/render.ts`, [
    [
      'documents.markdown',
      'others have no summary',
      '`[${element.category}: ${element.summary}]`',
      '`[${element.category}]`',
    ],
  ]),
];
