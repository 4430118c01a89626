import type { HomeLayout } from '@airdeck/contracts/me/schema';
import { expect, test } from 'vitest';
import { nextStep } from './layout-sync.ts';
import { defaultWidgets } from './widgets.ts';

const profile = (version: number): HomeLayout => ({ version, widgets: null, known: [] });
const own = defaultWidgets.slice(1);

test.each([
  ['what was changed here is saved', { widgets: own, version: 2, changed: true }, 2, 'save'],
  ['also over what came from elsewhere: the last wins', { widgets: own, version: 2, changed: true }, 5, 'save'],
  ['what came from elsewhere is adopted', { widgets: own, version: 2, changed: false }, 3, 'adopt'],
  ['the same stays', { widgets: own, version: 2, changed: false }, 2, 'nothing'],
  ['a profile set back gets it again', { widgets: own, version: 2, changed: false }, 1, 'save'],
  ['arranged before profiles kept it', { widgets: own, version: 0, changed: false }, 0, 'save'],
  ['never arranged', { widgets: defaultWidgets, version: 0, changed: false }, 0, 'nothing'],
  ['never arranged here, but elsewhere', { widgets: defaultWidgets, version: 0, changed: false }, 7, 'adopt'],
] as const)('%s', (_, here, version, step) => {
  expect(nextStep(here, profile(version))).toBe(step);
});
