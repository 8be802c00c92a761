/** The figures that all example documents tell, so that they can be checked against each other. */
export const quarters = ['Q1 2026', 'Q2 2026', 'Q3 2026', 'Q4 2026'];

/** Cups sold, price in euros and share of returning guests, by shop. */
export const shops = [
  {
    name: 'Harbour',
    opened: new Date(Date.UTC(2019, 3, 12)),
    cups: [8200, 9100, 11_400, 8800],
    price: 3.2,
    returning: 0.62,
  },
  {
    name: 'Old Town',
    opened: new Date(Date.UTC(2021, 8, 1)),
    cups: [6100, 6900, 8300, 7200],
    price: 3.4,
    returning: 0.55,
  },
  {
    name: 'Station',
    opened: new Date(Date.UTC(2024, 0, 15)),
    cups: [12_800, 13_500, 12_900, 14_100],
    price: 2.9,
    returning: 0.31,
  },
];

/** All documents are dated alike, so that making them again changes nothing but what changed. */
export const date = new Date(Date.UTC(2026, 9, 1));

export function percent(share) {
  return `${Math.round(share * 100)}%`;
}
