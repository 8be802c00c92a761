import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readBytes } from './reading.ts';

const namespaces = ['office', 'draw', 'presentation', 'style', 'text'].map(name => `xmlns:${name}="${name}"`).join(' ');
const frame = (kind: string, words: string) =>
  `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame>`;
const pageStyle = (name: string, properties: string) =>
  `<style:style style:name="${name}" style:family="drawing-page"><style:drawing-page-properties ${properties}/></style:style>`;
const shown = (isShown: boolean) =>
  ['footer', 'page-number', 'date-time'].map(name => `presentation:display-${name}="${isShown}"`).join(' ');
const slide = (attributes: string, words = frame('outline', 'Beans')) =>
  `<draw:page ${attributes}>${words}</draw:page>`;
const number = '<text:span><text:page-number>&lt;number&gt;</text:page-number></text:span>';
const master = [
  frame('page-number', `${number}/<text:page-count>9</text:page-count>`),
  frame('footer', '<text:span><presentation:footer/></text:span>'),
  frame('date-time', '<presentation:date-time/>'),
  `<presentation:notes>${frame('footer', 'Notes')}</presentation:notes>`,
].join('');

/** The slides of a presentation in Markdown. */
async function slidesOf(slides: readonly string[], ofMaster = master): Promise<(string | undefined)[]> {
  const declared =
    '<presentation:footer-decl presentation:name="f">In   confidence</presentation:footer-decl>' +
    '<presentation:date-time-decl presentation:name="d" presentation:source="fixed">17 May</presentation:date-time-decl>' +
    '<presentation:date-time-decl presentation:name="now" presentation:source="current-date"/>';
  const content =
    `<office:document-content ${namespaces}><office:automatic-styles>${pageStyle('all', shown(true))}` +
    pageStyle('none', shown(false)) +
    pageStyle('bare', `presentation:background-objects-visible="false" ${shown(true)}`) +
    `</office:automatic-styles><office:body><office:presentation>${declared}${slides.join('')}</office:presentation>` +
    '</office:body></office:document-content>';
  const styles =
    `<office:document-styles ${namespaces}><office:master-styles><style:master-page style:name="M">${ofMaster}` +
    '</style:master-page><style:master-page style:name="empty"/></office:master-styles></office:document-styles>';
  const bytes = zipSync({ 'content.xml': strToU8(content), 'styles.xml': strToU8(styles) });
  return (await readBytes('a.odp', bytes)).pages.map(page => page.content_markdown);
}

const texts = 'presentation:use-footer-name="f" presentation:use-date-time-name="d"';

test('the date, the footer and the number of an odp slide are one line, as far as it shows them', async () => {
  const slides = [
    slide(`draw:style-name="all" draw:master-page-name="M" ${texts}`),
    slide('draw:style-name="all" draw:master-page-name="M" presentation:use-date-time-name="now"'),
    slide(`draw:style-name="none" draw:master-page-name="M" ${texts}`),
    slide(`draw:style-name="bare" draw:master-page-name="M" ${texts}`),
    slide(`draw:style-name="all" draw:master-page-name="empty" ${texts}`),
  ];
  expect(await slidesOf(slides)).toEqual([
    'Beans\n\n[footer: 17 May | In confidence | 1/5]',
    'Beans\n\n[footer: 2/5]',
    'Beans',
    'Beans',
    'Beans',
  ]);
});

test('a footer and a number that an odp slide has itself stand at its end, before its notes', async () => {
  const notes = `<presentation:notes>${frame('notes', 'Smile')}</presentation:notes>`;
  const words = frame('page-number', number) + frame('footer', 'Mine') + frame('outline', 'Beans') + notes;
  expect(await slidesOf([slide(`draw:style-name="all" draw:master-page-name="M" ${texts}`, words)])).toEqual([
    'Beans\n\n[footer: 17 May | Mine | 1]\n\n[annotation: Notes: Smile]',
  ]);
});

test('a huge footer of the master page of an odp is read once for all slides', async () => {
  const begin = performance.now();
  const slides = Array.from({ length: 2000 }, () => slide(`draw:style-name="all" draw:master-page-name="M" ${texts}`));
  const [first] = await slidesOf(slides, frame('footer', '<presentation:footer/>'.repeat(200_000)));
  expect(first?.length).toBeLessThan(2000);
  expect(performance.now() - begin).toBeLessThan(10_000);
});
