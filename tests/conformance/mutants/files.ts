import { inFile } from './mutant.ts';

const computer = 'packages/computer/src';

/** Uploads, large results and skills. */
export const fileMutants = [
  ...inFile(`${computer}/blobs/uploads.ts`, [
    ['upload.errors', 'another reason', "throw uploadFailure('too_large'", "throw uploadFailure('busy'"],
    ['upload.slots', 'no limit', 'if (this.#unfinished.size >= maxConcurrent) throw', 'if (false) throw'],
    ['upload.owner', 'anybody goes on', 'if (found?.upload.owner !== owner)', 'if (!found)'],
    [
      'upload.expiry',
      'never dropped',
      'setTimeout(() => this.#drop(upload), this.#options?.idle)',
      'setTimeout(() => {}, this.#options?.idle)',
    ],
    [
      'upload.landed.life',
      'files stay after the end',
      'for (const path of this.#landed.keys()) this.#deleteLanded(path);',
      '',
    ],
    ['upload.parts', 'the id changes', 'return { uploadId: id, file };', "return { uploadId: 'x', file };"],
  ]),
  ...inFile(`${computer}/office/handlers.ts`, [
    ['upload.landed', 'no path', '{ landing_path: file.path, ', '{ '],

    [
      'blob.parts.fit',
      'parts as long as wished',
      'Math.min(wish ?? Number.POSITIVE_INFINITY, partSize(messageLimit()))',
      '(wish ?? 2 ** 30)',
    ],
  ]),
  ...inFile(`${computer}/blobs/offload.ts`, [
    [
      'exec.time',
      'it takes the square of the size',
      'let size = whole;',
      'let size = whole;\n  await new Promise(end => setTimeout(end, (whole / 1e6) ** 2 * 20));',
    ],
    ['limits.result', 'large results are sent', 'if (sent > limit) return refuse(whole, limit);', ''],
    [
      'blob.offload.fit',
      'the smallest first',
      'b.base64.length - a.base64.length',
      'a.base64.length - b.base64.length',
    ],
  ]),
  ...inFile(`${computer}/claims.ts`, [
    [
      'blob.forged',
      'keys of MCP servers are passed on',
      'return key.startsWith(RESERVED);',
      "return key.startsWith(RESERVED) && !key.startsWith('a2c_blob');",
    ],
  ]),
  ...inFile(`${computer}/skills/skills.ts`, [
    [
      'skills.name.unknown',
      'another code',
      'throw new SmcpError(ErrorCode.McpServerNotFound',
      'throw new SmcpError(ErrorCode.NotFound',
    ],
    ['skills.file.text', 'no limit of length', 'if (bytes.size > MAX_BODY_BYTES ||', 'if ('],
    ['skills.list', 'only those of MCP servers', '[...own, ...published]', '[...published]'],
    ['skills.mcp.resources', 'those of MCP servers are missing', '[...own, ...published]', '[...own]'],
  ]),
  ...inFile(`${computer}/skills/user-skills.ts`, [
    ['skills.list.description', 'listed without a description', 'if (!facts) {', 'if (false as boolean) {'],
    ['skills.changes', 'nothing is announced', '    this.#options.onChanged();\n', ''],
  ]),
  ...inFile(`${computer}/skills/folder.ts`, [
    [
      'skills.file.entry',
      'with its front matter',
      'if (inside !== ENTRY_FILE) return file;',
      'if (inside) return file;',
    ],
    [
      'skills.file.too-large',
      'another reason',
      "throw fileError('too_large', path, { size })",
      "throw fileError('not_found', path)",
    ],
  ]),
  ...inFile(`${computer}/skills/paths.ts`, [
    [
      'skills.file.not-found',
      'another code',
      'new SmcpError(ErrorCode.SkillFileNotAccessible',
      'new SmcpError(ErrorCode.NotFound',
    ],
  ]),
  ...inFile(`${computer}/skills/blob-handles.ts`, [
    ['skills.blob.parts', 'no end', 'eof: offset + length === size', 'eof: false'],
    ['skills.blob.refused', 'any office', 'if (found.office !== office) throw', 'if (false) throw'],
  ]),
  ...inFile(`${computer}/skills/unpack.ts`, [
    [
      'skills.mcp.archive',
      'links are passed over',
      "if (member.type === 'other') throw new Error('The archive has a link or a device in it');",
      "if (member.type === 'other') continue;",
    ],
  ]),
  ...inFile(`${computer}/skills/mcp-skills.ts`, [
    [
      'skills.mcp.mounted',
      'any folder',
      'if (mountFolders.length === 0) throw',
      "if (mountFolders.length === 0) return loadFolder({ root: origin.folder, allowed: ['/'] });\n        if (false) throw",
    ],
  ]),
  ...inFile('packages/agent/src/office-view.ts', [
    ['skills.follow', 'not followed', "this.#changed(computer, ['skills'])", "this.#changed(computer, ['tools'])"],
  ]),
];
