import { inFile } from './mutant.ts';

const computer = 'packages/computer/src';

/** Desktop, Finder and resources of a Computer. */
export const viewMutants = [
  ...inFile(`${computer}/desktop/describe.ts`, [
    ['window-uri.query', 'no warning', 'else if (/[?#]/.test(uri))', 'else if (false)'],
    ['window-meta.priority', 'values above 1 count', 'value >= 0 && value <= 1', 'value >= 0'],
    ['window-meta.fullscreen', 'a text counts', 'fullscreen: fullscreen === true', 'fullscreen: Boolean(fullscreen)'],
    [
      'window-meta.missing',
      'a missing priority draws a warning',
      'if (!hasPriority && isPresent(priority))',
      'if (!hasPriority)',
    ],
    ['window-meta.audience', 'no warning', "!audience.includes('assistant')", 'false'],
    [
      'window-meta.annotations',
      'a time in words draws no warning',
      'if (isPresent(lastModified) && !isTime(lastModified))',
      'if (false)',
    ],
    [
      'window-meta.annotations',
      'annotations may be a text',
      'if (isPresent(annotations) && !isObject(annotations))',
      'if (false)',
    ],
    ['render.blob', 'no warning', "typeof fieldsOf(content).blob === 'string'", 'false'],
    [
      'desktop.filter.invalid-uri',
      'an invalid URI is shown',
      'return undefined;\n  }\n}\n\nfunction isPriority',
      'return uri;\n  }\n}\n\nfunction isPriority',
    ],
    [
      'window-meta.no-query',
      'the query sets the priority',
      'priority: hasPriority ? priority : 0',
      'priority: hasPriority ? priority : Number(/priority=([\\d.]+)/.exec(uri)?.[1] ?? 0)',
    ],
  ]),
  ...inFile(`${computer}/desktop/organize.ts`, [
    ['render.text', 'texts are joined by a line break', "${texts.join('\\n\\n')}", "${texts.join('\\n')}"],
    ['render.uri-only', 'an empty text is rendered', "texts.every(text => text === '') ? uri :", 'false ? uri :'],
    [
      'desktop.filter.no-text',
      'windows without a text are shown',
      'windows.filter(({ texts }) => texts.length > 0)',
      'windows',
    ],
    ['desktop.order.priority', 'the lowest priority comes first', 'b.priority - a.priority', 'a.priority - b.priority'],
    ['desktop.order.servers', 'in the order of the configuration', '.toSorted(([a], [b]) => inServerOrder(a, b))', ''],
    [
      'desktop.fullscreen.first',
      'the highest priority wins',
      'windows.find(window => window.fullscreen)',
      'windows.toSorted((a, b) => b.priority - a.priority).find(window => window.fullscreen)',
    ],
    [
      'desktop.fullscreen.filtered',
      'fullscreen without a text hides others',
      'groupByServer(windows.filter(({ texts }) => texts.length > 0))',
      'groupByServer(windows)',
    ],
    ['desktop.size.limit', 'the size is ignored', '.slice(0, limit)', ''],
    ['desktop.max-chars', 'the budget is ignored', 'if (desktop.length > left)', 'if (false)'],
  ]),
  ...inFile(`${computer}/desktop/show.ts`, [
    ['desktop.size.zero', 'zero means all', 'size <= 0) return []', 'size < 0) return []'],
    ['desktop.window.exact', 'a prefix selects', 'wanted === uri ||', 'uri?.startsWith(wanted) ||'],
    [
      'desktop.window.first',
      'selected after organising',
      'host === undefined || !isWanted) return [];',
      'host === undefined) return [];',
    ],
    [
      'desktop.filter.unreadable',
      'one failure fails all',
      'note({ ...UNREADABLE, fields: { error } });',
      'throw error;',
    ],
    ['desktop.filter.told', 'no word about a window without a text', 'else note(NO_TEXT);', ''],
    ['render.canonical-uri', 'read without its query', 'await source.read(resource.uri', 'await source.read(uri'],
  ]),
  ...inFile(`${computer}/resources/catalog.ts`, [
    ['desktop.gate', 'all servers are shown', 'return resources?.subscribe === true ||', 'return true ||'],
    ['finder.gate', 'all servers are shown', 'return resources?.subscribe === true ||', 'return true ||'],
    ['gate.relaxed', 'the option is ignored', '|| config.require_subscribe === false', ''],
    ['desktop.gate.told', 'no warning', 'for (const problem of [...undeclared, ', 'for (const problem of ['],
    [
      'hosts.clash',
      'no warning',
      'for (const { host, servers } of findHostClashes(uses)) {',
      'for (const { host, servers } of findHostClashes([])) {',
    ],
    [
      'read-resource.errors',
      '4015 is 4014',
      'throw new SmcpError(ErrorCode.McpCapabilityMissing',
      'throw new SmcpError(ErrorCode.McpServerNotFound',
    ],
    ['read-resource.server', 'templates are not asked', '(await first(sources, isTemplate))?.server ??', ''],
  ]),
  ...inFile(`${computer}/resources/hosts.ts`, [
    ['hosts.style', 'upper case is legal', '/^[a-z0-9]+(\\.[a-z0-9]+)+$/', '/^[a-z0-9]+(\\.[a-z0-9]+)+$/i'],
  ]),
  ...inFile(`${computer}/resources/server-resources.ts`, [
    [
      'desktop-change.updated',
      'every update changes the desktop',
      'if (view) this.#changed(view, [uri]);',
      "if (view) this.#changed(view, [uri]);\n    this.#changed('desktop', [uri]);",
    ],
    [
      'finder-change.updated',
      'every update changes the finder',
      'if (view) this.#changed(view, [uri]);',
      "if (view) this.#changed(view, [uri]);\n    this.#changed('finder', [uri]);",
    ],
    [
      'desktop-change.list',
      'every list change is announced',
      'if (!isSame(before[view], this.#uris[view])) this',
      'if (!isSame(before[view], this.#uris[view]) || this.#listChanges > 0) this',
    ],
    [
      'finder-change.list',
      'no list change is announced',
      'if (!isSame(before[view], this.#uris[view])) this',
      "if (view === 'desktop' && !isSame(before[view], this.#uris[view])) this",
    ],
    [
      'desktop-change.baseline',
      'the first list is not cached',
      'this.#firstComparison = this.#compare();',
      'this.#firstComparison = Promise.resolve();',
    ],
    ['changes.equal', 'nothing is logged', 'else if (this.#listChanges > 0) {', 'else if (false) {'],
    [
      'changes.subscribe',
      'nothing is subscribed to',
      'if (!this.announcesUpdates || resources',
      'if (this.announcesUpdates || resources',
    ],
    [
      'finder.summary.read',
      'every read is repeated',
      'return this.#reads.get(uri) ?? this.#readAndCache(uri);',
      'return this.#readAndCache(uri);',
    ],
  ]),
  ...inFile(`${computer}/office/prompt-handlers.ts`, [
    ['get-prompts.page', 'no next page', "typeof nextCursor === 'string' ? { next_cursor: nextCursor } : {}", '{}'],
    ['get-prompts.left-out', 'too large a list is sent', 'if (size > room) {', 'if (false) {'],
  ]),
  ...inFile(`${computer}/mcp/session/prompt-list.ts`, [
    [
      'get-prompts.all',
      'only the first page',
      'await collectPages(lists.prompts, params => this.#options.request(params, { signal }))',
      '(await this.#options.request({}, { signal })).entries',
    ],
  ]),
  ...inFile(`${computer}/prompts/prompts.ts`, [
    ['get-prompts.left-out', 'one failure fails all', '      return { server, prompts: [] };', '      throw error;'],
    [
      'get-prompts.errors',
      'a server without prompts has none',
      'if (session.capabilities.prompts) return session;',
      'if (session) return session;',
    ],
    ['get-prompt.filled', 'without arguments', 'session.getPrompt(name, args,', 'session.getPrompt(name, undefined,'],
    [
      'get-prompt.errors',
      'every failure is 500',
      'const { code, details } = error;',
      'const { code, details } = { ...error, code: 500, details: error.details };',
    ],
  ]),
  ...inFile(`${computer}/resources/read.ts`, [
    [
      'get-dpe.host',
      'always the first of the host',
      ".find(source => source.urisOf('finder').uris.has(document)) ?? first",
      '.find(() => false) ?? first',
    ],
    [
      'get-dpe.untouched',
      'the query is dropped',
      'return await readResource(catalog, uri, { server, timeout });',
      "return await readResource(catalog, uri.split('?')[0] ?? '', { server, timeout });",
    ],
    ['get-dpe.errors', 'every code is 4201', 'case 2:', 'case 9 as 2:'],
    [
      'get-dpe.route',
      'an invalid URI is 500',
      'const address = parseDpeUri(uri);',
      "const address = ((): DpeUri => {\n    try {\n      return parseDpeUri(uri);\n    } catch {\n      throw new Error('invalid');\n    }\n  })();",
    ],
    [
      'get-resources.page',
      'no next page',
      'resources.map(withoutClaims), nextCursor }',
      'resources.map(withoutClaims), nextCursor: undefined }',
    ],
  ]),
  ...inFile(`${computer}/finder/describe.ts`, [
    [
      'finder.level-one',
      'pages are documents',
      'if (level !== 1 || docRef === undefined)',
      'if (docRef === undefined)',
    ],
    [
      'finder.summary.resource',
      'the name is no title',
      'firstString(facts.title, resource.name, resource.title) ?? docRef',
      'firstString(facts.title, resource.title) ?? docRef',
    ],
    [
      'finder.summary.fields',
      'the server is not named',
      '    server,\n    ...(modified',
      "    server: '',\n    ...(modified",
    ],
  ]),
  ...inFile(`${computer}/finder/show.ts`, [
    ['finder.summary.failure', 'one failure fails all', 'note({ ...UNREADABLE, fields: { error } });', 'throw error;'],
    ['finder.shadowed', 'both are listed', 'if (readable.length === resources.length) return list;', 'return list;'],
  ]),
  ...inFile(`${computer}/finder/organize.ts`, [
    ['finder.filter.uri', 'invalid URIs stay', 'if (!isDpeUri(document.uri)) continue;', ''],
    ['finder.rank', 'in the order they came', '.toSorted((a, b) => compareServers(a.server, b.server))', ''],
    [
      'finder.total',
      'counts the page',
      'totalCount: matches.reduce((sum, { length }) => sum + length, 0)',
      'totalCount: cut(matches, offset, limit).length',
    ],
    ['finder.page', 'ten by default', 'limit = 20 }: FinderQuery', 'limit = 10 }: FinderQuery'],
    ['finder.page.limits', '1,000 at once', 'MAX_PAGE_SIZE = 100', 'MAX_PAGE_SIZE = 1000'],
  ]),
  ...inFile(`${computer}/finder/search-text.ts`, [
    ['finder.keywords', 'the case of a keyword matters', 'keywords.map(word => word.toLowerCase())', 'keywords'],
  ]),
  ...inFile(`${computer}/finder/shelf.ts`, [
    ['finder.file-type', 'part of a type is enough', 'file_type === fileType', 'file_type.includes(fileType)'],
    ['finder.sort', 'the oldest comes first', 'return b.time - a.time;', 'return a.time - b.time;'],
    [
      'finder.sort.timestamps',
      'compared as texts',
      'if (a.time !== undefined && b.time !== undefined)',
      'if (false as boolean)',
    ],
  ]),
  ...inFile(`${computer}/mcp/session/lists.ts`, [
    ['tools.list', 'only the first page', 'const MAX_PAGES = 1000;', 'const MAX_PAGES = 1;'],
  ]),
  ...inFile(`${computer}/mcp/session/lists.ts`, [
    [
      'window-meta.page-survives',
      'one odd entry costs the page',
      'if (!read.success) onOdd(entry);',
      "if (!read.success || typeof (entry as { annotations?: { priority?: unknown } }).annotations?.priority === 'string') throw new Error('odd');",
    ],
  ]),
];
