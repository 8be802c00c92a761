/** How an element is read. Those without a kind are part of the text around them. */
export type HtmlKind =
  | 'anchor'
  | 'block'
  | 'break'
  | 'control'
  | 'drawing'
  | 'heading'
  | 'image'
  | 'invisible'
  | 'line'
  | 'list'
  | 'media'
  | 'preformatted'
  | 'raised'
  | 'lowered'
  | 'table';

/** The rules for elements of one name. */
export interface ElementRules {
  name: string;
  kind?: HtmlKind | undefined;
  /** It has neither content nor an end. */
  isVoid: boolean;
  /** Tags inside are text. */
  isRaw: boolean;
  /** Ends of elements that are part of a text do not reach beyond it. */
  isSpecial: boolean;
  /** Its beginning ends open elements of these names, the innermost first, */
  ends?: ReadonlySet<string> | undefined;
  /** but none around these. @default around special ones */
  endsWithin?: ReadonlySet<string> | undefined;
  /** Its end tag ends the innermost open element of these names. */
  closes: ReadonlySet<string>;
  /** It may stand in the head. */
  isOfHead: boolean;
}

const kinds = new Map<string, HtmlKind>(
  (
    [
      ['anchor', 'a'],
      [
        'block',
        'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
          'form header html legend li main menu nav p section summary td th tr tbody thead tfoot caption',
      ],
      ['break', 'br'],
      ['control', 'button input select'],
      ['drawing', 'svg'],
      ['heading', 'h1 h2 h3 h4 h5 h6'],
      ['image', 'img'],
      ['invisible', 'head iframe noscript object script style template title'],
      ['line', 'hr'],
      ['list', 'ol ul'],
      ['media', 'audio video'],
      ['preformatted', 'pre xmp listing'],
      ['raised', 'sup'],
      ['lowered', 'sub'],
      ['table', 'table'],
    ] as const
  ).flatMap(([kind, list]) => names(list).map(name => [name, kind] as const)),
);

const voids = set('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr');
const raws = set('script style textarea title xmp iframe noembed');
const ofHead = set('base basefont bgsound link meta noscript script style template title');
/** The end of an element reaches no open one around these. */
const scope = set('applet button caption html marquee object table td template th');
const tableScope = set('table template');
const tableParts = set('caption table tbody td tfoot th thead tr');
const headings = set('h1 h2 h3 h4 h5 h6');
const sections = 'article aside blockquote details dl fieldset figure footer form header main nav section';

/** Elements whose beginning stands for the end of others, which is often not written. */
const endings = new Map<string, Pick<ElementRules, 'ends' | 'endsWithin'>>(
  (
    [
      [
        'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header ' +
          'hr listing main menu nav ol p pre section summary table ul xmp',
        { ends: set('p') },
      ],
      ['h1 h2 h3 h4 h5 h6', { ends: new Set([...headings, 'p']) }],
      ['a', { ends: set('a') }],
      ['li', { ends: set('li p'), endsWithin: new Set([...scope, ...set(`dir menu ol ul ${sections}`)]) }],
      ['dd dt', { ends: set('dd dt p'), endsWithin: new Set([...scope, ...set(sections), 'ul', 'ol']) }],
      ['td th', { ends: set('td th'), endsWithin: new Set([...tableScope, 'tr']) }],
      ['tr', { ends: set('caption td th tr'), endsWithin: tableScope }],
      ['tbody thead tfoot', { ends: set('caption tbody td tfoot th thead tr'), endsWithin: tableScope }],
      ['option', { ends: set('option'), endsWithin: set('datalist optgroup select') }],
      ['optgroup', { ends: set('optgroup option'), endsWithin: set('select') }],
    ] as const
  ).flatMap(([by, rules]) => names(by).map(name => [name, rules] as const)),
);

function rulesOf(name: string): ElementRules {
  const kind = kinds.get(name);
  return {
    name,
    kind,
    isVoid: voids.has(name),
    isRaw: raws.has(name),
    isSpecial: kind === 'block' || kind === 'list' || kind === 'table' || kind === 'heading' || scope.has(name),
    ...endings.get(name),
    closes: headings.has(name) ? headings : new Set([name]),
    isOfHead: ofHead.has(name),
  };
}

/** True if the end tag of `rules` ends neither an open element nor those around it. */
export function isEndBoundary({ name, isSpecial, closes }: ElementRules, open: ElementRules): boolean {
  if (closes.has(open.name)) return false;
  if (!isSpecial) return open.isSpecial;
  return (tableParts.has(name) ? tableScope : scope).has(open.name);
}

/** Unknown names are many only in hostile pages. */
const MAX_RULES = 5000;
const known = new Map<string, ElementRules>();

/** The rules for an element by its name as it is written. Looked up once per tag, so that no rule costs more. */
export function elementRules(written: string): ElementRules {
  const found = known.get(written);
  if (found !== undefined) return found;
  const name = written.toLowerCase();
  const rules = rulesOf(name === 'image' ? 'img' : name);
  if (known.size >= MAX_RULES) known.clear();
  // A copy: the name would keep the whole page in memory.
  known.set(Buffer.from(written).toString(), rules);
  return rules;
}

function names(list: string): string[] {
  return list.split(' ');
}

function set(list: string): ReadonlySet<string> {
  return new Set(names(list));
}
