import { code } from '../content/make.ts';
import { firstLine, openPlainText, type PlainTextOptions, readTextHeader } from './plain-text.ts';
import type { FileFacts, HeaderReader, OpenReader } from './reader.ts';

/** The languages of source files by extension, named as Markdown fences name them. */
export const languages: Record<string, string> = {
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  cjs: 'javascript',
  clj: 'clojure',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  dart: 'dart',
  diff: 'diff',
  ex: 'elixir',
  exs: 'elixir',
  go: 'go',
  graphql: 'graphql',
  h: 'c',
  hpp: 'cpp',
  hs: 'haskell',
  ini: 'ini',
  java: 'java',
  js: 'javascript',
  jsx: 'jsx',
  kt: 'kotlin',
  less: 'less',
  lua: 'lua',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  php: 'php',
  pl: 'perl',
  proto: 'protobuf',
  ps1: 'powershell',
  py: 'python',
  r: 'r',
  rb: 'ruby',
  rs: 'rust',
  scala: 'scala',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  tex: 'latex',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'tsx',
  vue: 'vue',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zig: 'zig',
};

/** Source code: pages of some two hundred lines, cut at blank lines. */
export const openSourceCode: OpenReader = file => openPlainText(file, optionsFor(file));

/** What the catalogue says of source code. */
export const readSourceCodeHeader: HeaderReader = (source, file) => readTextHeader(source, file, optionsFor(file));

function optionsFor({ name, type }: FileFacts): PlainTextOptions {
  return {
    title: `${name}.${type}`,
    summarize: firstLine,
    toElements: text => (text.trim() === '' ? [] : [code(text, languages[type])]),
  };
}
