import PptxGenJS from 'pptxgenjs';
import { percent, quarters, shops } from './numbers.mjs';
import { picture } from './picture.mjs';

/** Slides with a list, a chart, a table, a picture and speaker's notes. */
export async function slides() {
  const deck = new PptxGenJS();
  deck.title = 'Coffee in four slides';
  deck.subject = 'The year in short, for the meeting of members';
  deck.defineSlideMaster({
    title: 'PLAIN',
    objects: [
      {
        placeholder: {
          options: { name: 'title', type: 'title', x: 0.5, y: 0.3, w: 9, h: 0.9, fontSize: 32 },
          text: '',
        },
      },
    ],
  });
  const slide = title => deck.addSlide({ masterName: 'PLAIN' }).addText(title, { placeholder: 'title' });
  slide('Coffee in four slides')
    .addText('Lighthouse Coffee, October 2026', { x: 0.5, y: 2, w: 9, h: 0.5 })
    .addNotes('Welcome everybody and wait for the latecomers.');
  const items = ['Three shops, one roaster', '119,300 cups', 'A second counter at the Station'];
  slide('The year')
    .addText(
      items.map(text => ({ text, options: { bullet: true, breakLine: true } })),
      { x: 0.5, y: 1.5, w: 9, h: 2.5 },
    )
    .addNotes('The festival made the third quarter.');
  slide('Cups by quarter').addChart(
    deck.ChartType.bar,
    shops.map(({ name, cups }) => ({ name, labels: quarters, values: cups })),
    {
      x: 0.5,
      y: 1.4,
      w: 9,
      h: 4,
      barDir: 'col',
      showTitle: true,
      title: 'Cups by quarter',
    },
  );
  const rows = shops.map(({ name, price, returning }) => [name, `€${price.toFixed(2)}`, percent(returning)]);
  slide('The shops')
    .addTable(
      [['Shop', 'Price', 'Returning'], ...rows].map(row => row.map(text => ({ text }))),
      { x: 0.5, y: 1.5, w: 5 },
    )
    .addImage({
      data: `image/png;base64,${picture().toString('base64')}`,
      x: 6.5,
      y: 1.5,
      w: 3,
      h: 2,
      altText: 'A lighthouse beam over dark water',
    });
  return deck.write({ outputType: 'nodebuffer' });
}
