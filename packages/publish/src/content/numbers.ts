/** Writes a number the way a list counts; names as in Word's `numFmt`. An unknown format counts in digits. */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
      return roman(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperLetter':
      return letters(value);
    case 'lowerLetter':
      return letters(value).toLowerCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'ordinal':
      return ordinal(value);
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    default:
      return isChinese(format) ? chinese(value) : String(value);
  }
}

/** The marks of a list that counts from 1 on each level, again below each item of the level above. */
export function countedMarks(levels: readonly number[], start = 1): string[] {
  const counters: number[] = [];
  return levels.map(level => {
    counters.length = Math.min(counters.length, level + 1);
    counters[level] = (counters[level] ?? (level === 0 ? start - 1 : 0)) + 1;
    return `${counters[level]}.`;
  });
}

const numerals: [string, number][] = [
  ...([
    ['M', 1000],
    ['CM', 900],
    ['D', 500],
    ['CD', 400],
    ['C', 100],
    ['XC', 90],
    ['L', 50],
  ] as [string, number][]),
  ...([
    ['XL', 40],
    ['X', 10],
    ['IX', 9],
    ['V', 5],
    ['IV', 4],
    ['I', 1],
  ] as [string, number][]),
];

function roman(value: number): string {
  if (value < 1 || value > 5000) return String(value);
  let rest = value;
  let text = '';
  for (const [letter, worth] of numerals) {
    text += letter.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}

/** A to Z, then AA to ZZ, as Word counts. */
function letters(value: number): string {
  if (value < 1 || value > 780) return String(value);
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

function ordinal(value: number): string {
  const tens = value % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${suffix}`;
}

function isChinese(format: string): boolean {
  return /^(?:chineseCounting|ideographDigital|japaneseCounting|taiwaneseCounting)/.test(format);
}

const digits = '零一二三四五六七八九';

function chinese(value: number): string {
  if (value < 0 || value > 9999) return String(value);
  if (value < 10) return digits[value] ?? '';
  if (value < 20) return `十${value === 10 ? '' : chinese(value - 10)}`;
  const [unit, worth] = value >= 1000 ? ['千', 1000] : value >= 100 ? ['百', 100] : ['十', 10];
  const rest = value % Number(worth);
  const zero = rest > 0 && rest < Number(worth) / 10 ? '零' : '';
  const tail = rest >= 10 && rest < 20 ? `一${chinese(rest)}` : chinese(rest);
  return `${digits[Math.floor(value / Number(worth))]}${unit}${rest === 0 ? '' : zero + tail}`;
}
