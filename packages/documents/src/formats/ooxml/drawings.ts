import { chart, type Element, other } from '@a2c-smcp/publish/content';
import type { Package } from './package.ts';
import { child, children, descendants, readOptionalXml, readXml, textOf, type XmlNode } from './xml.ts';

const MAX_POINTS = 24;

/** A chart part as an element: its kind, its title, and its series in words. */
export async function readChart(zip: Package, part: string): Promise<Element> {
  const root = child(await readXml(zip, part), 'chart');
  const plots = children(child(root, 'plotArea')).filter(({ name }) => name.endsWith('Chart'));
  const type = plots.map(plotType).join(' and ') || 'unknown';
  const title = descendants(child(root, 'title'), 't').map(textOf).join('').trim();
  const series = plots.flatMap(plot => children(plot, 'ser').map(describeSeries));
  return { ...chart(type, title, series.join('\n')), identity: part, metadata: { part } };
}

/** A drawing made of boxes with words in them, as a list of these words. */
export async function readDiagram(zip: Package, part: string): Promise<Element> {
  const words = descendants(await readOptionalXml(zip, part), 't')
    .map(textOf)
    .filter(Boolean);
  return { ...other('diagram', words.join(', ') || 'Diagram', { nodes: words }), identity: part };
}

/** `bar3DChart` is a bar chart; a bar chart that stands upright is a column chart. */
function plotType(plot: XmlNode): string {
  const kind = plot.name.replace(/(3D)?Chart$/, '');
  return kind === 'bar' && child(plot, 'barDir')?.attributes.val === 'col' ? 'column' : kind;
}

function describeSeries(series: XmlNode): string {
  const name = points(child(series, 'tx'))[0] ?? textOf(child(series, 'tx', 'v')) ?? '';
  const categories = points(child(series, 'cat') ?? child(series, 'xVal'));
  const values = points(child(series, 'val') ?? child(series, 'yVal'));
  const pairs = values
    .slice(0, MAX_POINTS)
    .map((value, index) => (categories[index] === undefined ? value : `${categories[index]} ${value}`));
  const rest = values.length > MAX_POINTS ? `, and ${values.length - MAX_POINTS} more` : '';
  return `${name === '' ? 'Series' : name}: ${pairs.join(', ')}${rest}`;
}

function points(node: XmlNode | undefined): string[] {
  return descendants(node, 'pt').map(point => tidyNumber(textOf(child(point, 'v'))));
}

/** Drops floating point noise. */
function tidyNumber(text: string): string {
  return /^-?\d+\.\d{7,}(?:e[+-]?\d+)?$/i.test(text) ? String(Number(Number(text).toPrecision(12))) : text;
}
