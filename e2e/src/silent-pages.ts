/** Of every file of journeys: whatever it looked at, no page of it failed by itself. */
import { afterAll, expect } from 'vitest';
import { faultsOfPages } from './browser.ts';

afterAll(() => {
  expect(faultsOfPages()).toEqual([]);
});
