// Draws lines of a terminal as SVG, for the scripts that make the pictures of guides.

import { writeFileSync } from 'node:fs';

const CELL = { width: 8.43, height: 19 };
const MARGIN = { x: 22, top: 52, bottom: 20 };
const COLOURS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 34: '#58a6ff', 36: '#79c0ff', 90: '#7d8590' };

/** Writes a picture of lines with their colours, as wide as so many columns. */
export function drawTerminal(lines, { title, columns, file }) {
  const text = lines.map((line, row) => drawLine(line, MARGIN.top + row * CELL.height));
  const width = Math.ceil(MARGIN.x * 2 + CELL.width * columns);
  const height = MARGIN.top + MARGIN.bottom + CELL.height * (lines.length - 1);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${title}</title>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f56"/><circle cx="42" cy="20" r="6" fill="#ffbd2e"/><circle cx="62" cy="20" r="6" fill="#27c93f"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${text.filter(Boolean).join('\n')}
</g>
</svg>
`;
  writeFileSync(new URL(`../docs/guide/${file}`, import.meta.url), svg);
}

/** A line as one text with a span for each mark; every span has its place on the grid of the terminal. */
function drawLine(line, y) {
  let column = 0;
  let style = {};
  const spans = [];
  for (const [, code, part] of line.matchAll(
    new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m|([^${String.fromCharCode(27)}]+)`, 'g'),
  )) {
    if (code !== undefined) style = restyle(style, Number(code));
    else {
      const length = [...part].length;
      if (part.trim() !== '') spans.push(span(part, MARGIN.x + column * CELL.width, length * CELL.width, style));
      column += length;
    }
  }
  return spans.length > 0 ? `<text y="${y}">${spans.join('')}</text>` : '';
}

function restyle(style, code) {
  if (code === 1) return { ...style, weight: 'bold' };
  if (code === 2) return { ...style, fill: '#7d8590' };
  if (code === 0 || code === 22) return {};
  return code === 39 ? { weight: style.weight } : { ...style, fill: COLOURS[code] };
}

function span(part, x, length, { weight, fill }) {
  const marks = `${weight ? ' font-weight="bold"' : ''}${fill ? ` fill="${fill}"` : ''}`;
  // Spaces that do not break do not collapse either.
  const safe = part.replace(/[&<>]/g, char => `&#${char.charCodeAt(0)};`).replaceAll(' ', '\u00a0');
  return `<tspan x="${x.toFixed(1)}" textLength="${length.toFixed(1)}"${marks}>${safe}</tspan>`;
}
