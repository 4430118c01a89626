import { expect, it } from 'vitest';
import { firstOfEach } from './first-of-each.ts';

it('shows a row once when it moved to the next page while pages were loaded', () => {
  const rows = [
    { id: 'a', page: 1 },
    { id: 'b', page: 1 },
    { id: 'b', page: 2 },
    { id: 'c', page: 2 },
  ];
  expect(firstOfEach(rows, ({ id }) => id)).toEqual([rows[0], rows[1], rows[3]]);
});
