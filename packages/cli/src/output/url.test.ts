import { expect, test } from 'vitest';
import { shownUrl } from './url.ts';

test.each([
  ['http://127.0.0.1:7000', 'http://127.0.0.1:7000'],
  ['https://relay.example.com/base/', 'https://relay.example.com/base/'],
  ['https://ann:secret@relay.example.com?token=secret#secret', 'https://relay.example.com'],
  ['secret', '(no URL)'],
])('shownUrl prints %s as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
