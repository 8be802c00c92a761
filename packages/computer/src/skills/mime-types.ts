/** By extension. The host's own table is never asked, so that every Computer gives the same answer. */
const TYPES: Record<string, string> = {
  ...{ md: 'text/markdown', markdown: 'text/markdown', txt: 'text/plain', rst: 'text/x-rst', csv: 'text/csv' },
  ...{ html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript' },
  ...{ json: 'application/json', xml: 'application/xml', yaml: 'application/yaml', yml: 'application/yaml' },
  ...{ toml: 'application/toml', svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg' },
  ...{ gif: 'image/gif', webp: 'image/webp', bmp: 'image/bmp', ico: 'image/vnd.microsoft.icon' },
  ...{ pdf: 'application/pdf', zip: 'application/zip', gz: 'application/gzip', tar: 'application/x-tar' },
  ...{ wasm: 'application/wasm', woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf' },
  ...{ mp3: 'audio/mpeg', wav: 'audio/wav', mp4: 'video/mp4', webm: 'video/webm' },
};

/** Sources of programs and settings, which a model reads like any other text. */
const PLAIN_TEXT = new Set([
  ...['py', 'sh', 'bash', 'zsh', 'fish', 'ps1', 'bat', 'cmd', 'ts', 'mts', 'cts', 'cjs', 'jsx', 'tsx', 'vue', 'rb'],
  ...['pl', 'lua', 'php', 'go', 'rs', 'c', 'h', 'cc', 'cpp', 'hpp', 'cs', 'java', 'kt', 'swift', 'scala', 'r', 'jl'],
  ...[
    'sql',
    'vrl',
    'awk',
    'sed',
    'jq',
    'ini',
    'cfg',
    'conf',
    'env',
    'properties',
    'tsv',
    'log',
    'tex',
    'diff',
    'patch',
  ],
]);

const TEXT = /^text\/|\+(?:json|xml|yaml)$|^application\/(?:json|xml|yaml|toml|javascript)$/;

/** The MIME type of a file, by its extension alone. */
export function mimeTypeOf(path: string): string {
  const extension = /[^/.][^/]*\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(TYPES, extension)) return TYPES[extension] ?? '';
  return PLAIN_TEXT.has(extension) ? 'text/plain' : 'application/octet-stream';
}

/** True if files of a type are text. */
export function isTextType(mimeType: string): boolean {
  return TEXT.test(mimeType);
}
