/** Words that stand for a character. */
export const characters = new Map([
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['page', '\n'],
  ['column', '\n'],
  ['softline', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
]);

/** Groups that have nothing to read. */
export const skipped = new Set([
  ...['colortbl', 'listtable', 'listoverridetable', 'rsidtbl', 'generator', 'themedata', 'colorschememapping'],
  ...['latentstyles', 'datastore', 'xmlnstbl', 'objdata', 'objclass', 'objname', 'nonshppict', 'shprslt', 'falt'],
  ...['panose', 'bkmkstart', 'bkmkend', 'template', 'revtbl', 'filetbl', 'userprops', 'mmathPict', 'nonesttables'],
  ...['ftnsep', 'ftnsepc', 'ftncn', 'aftnsep', 'aftnsepc', 'aftncn', 'atndate', 'atnref', 'tc', 'tcn'],
  ...[
    'xe',
    'rxe',
    'txe',
    'pgptbl',
    'blipuid',
    'fname',
    'fontemb',
    'fontfile',
    'mmathPr',
    'htmltag',
    'mhtmltag',
    'atnid',
  ],
]);

/** Groups behind `\*` whose text belongs to the text around them. */
export const transparent = new Set([
  ...['shpinst', 'shppict', 'moMath', 'moMathPara', 'mmath', 'picprop', 'shpgrp', 'pnseclvl', 'objattph'],
]);
