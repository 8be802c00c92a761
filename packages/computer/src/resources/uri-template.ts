/** Characters of a template or of a URI that is compared with one. */
const MAX_LENGTH = 8192;

/** A text as it stands, or one or more characters that are none of `except`. */
type Piece = string | { except: string };

/**
 * True if a URI can be made from a template of RFC 6570, as the MCP SDK decides it. The SDK makes a regular expression
 * of a template, with which an MCP server can block the process; this takes time in proportion to both lengths.
 */
export function matchesTemplate(template: string, uri: string): boolean {
  if (template.length > MAX_LENGTH || uri.length > MAX_LENGTH) return false;
  const pieces = piecesOf(template);
  if (!pieces) return false;
  // Where the pieces so far may end.
  let ends: boolean[] = [true];
  for (const piece of pieces) {
    ends = typeof piece === 'string' ? afterText(ends, uri, piece) : afterRun(ends, uri, piece.except);
    if (!ends.includes(true)) return false;
  }
  return ends[uri.length] === true;
}

function afterText(starts: readonly boolean[], uri: string, text: string): boolean[] {
  const ends: boolean[] = [];
  starts.forEach((isStart, index) => {
    if (isStart && uri.startsWith(text, index)) ends[index + text.length] = true;
  });
  return ends;
}

function afterRun(starts: readonly boolean[], uri: string, except: string): boolean[] {
  const ends: boolean[] = [];
  for (let index = 0; index < uri.length; index++) {
    const isInside = starts[index] === true || ends[index] === true;
    if (isInside && !except.includes(uri.charAt(index))) ends[index + 1] = true;
  }
  return ends;
}

/** Undefined when the template is none. */
function piecesOf(template: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (part.startsWith('{') && part.endsWith('}')) pieces.push(...expression(part.slice(1, -1)));
    else if (/[{}]/.test(part)) return undefined;
    else if (part !== '') pieces.push(part);
  }
  return pieces;
}

function expression(text: string): Piece[] {
  const [, operator = '', names = ''] = /^([+#./?&]?)(.*)$/s.exec(text) ?? [];
  switch (operator) {
    case '+':
    case '#':
      return [{ except: '\r\n\u2028\u2029' }];
    case '?':
    case '&':
      return names
        .split(',')
        .flatMap((name, index) => [`${index === 0 ? operator : '&'}${bare(name)}=`, { except: '&' }]);
    case '.':
    case '/':
      return [operator, oneValue(names)];
    default:
      return [oneValue(names)];
  }
}

/** A list in the place of one value has commas. */
function oneValue(names: string): Piece {
  return { except: names.includes('*') ? '/' : '/,' };
}

function bare(name: string): string {
  return name.trim().replace('*', '');
}
