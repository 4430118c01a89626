import { expect, test } from 'vitest';
import { withRegisteredMark } from './product.ts';

test.each([
  ['Air', 'AIR®'],
  ['Welcome to your AIR', 'Welcome to your AIR®'],
  ['AIR® overview', 'AIR® overview'],
  ['Air and air', 'AIR® and AIR®'],
  ['Repair', 'Repair'],
  ['Airdeck', 'Airdeck'],
  ['Case management', 'Case management'],
])('%s reads %s', (text, marked) => {
  expect(withRegisteredMark(text, 'AIR')).toBe(marked);
});
