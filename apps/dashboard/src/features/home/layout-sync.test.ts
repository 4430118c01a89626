import type { HomeLayout } from '@airdeck/contracts/me/schema';
import { expect, test } from 'vitest';
import { defaultWidgets } from '../../components/widgets/widgets.ts';
import { nextStep } from './layout-sync.ts';

const profile = (version: number): HomeLayout => ({ version, widgets: null, known: [] });
const own = { widgets: defaultWidgets.slice(1), hidden: [] };
const usual = { widgets: defaultWidgets, hidden: [] };

test.each([
  ['what was changed here is saved', { ...own, version: 2, changed: true }, 2, 'save'],
  ['also over what came from elsewhere: the last wins', { ...own, version: 2, changed: true }, 5, 'save'],
  ['what came from elsewhere is adopted', { ...own, version: 2, changed: false }, 3, 'adopt'],
  ['the same stays', { ...own, version: 2, changed: false }, 2, 'nothing'],
  ['a profile set back gets it again', { ...own, version: 2, changed: false }, 1, 'save'],
  ['arranged before profiles kept it', { ...own, version: 0, changed: false }, 0, 'save'],
  ['first steps put away before profiles kept it', { ...usual, hidden: ['x'], version: 0, changed: false }, 0, 'save'],
  ['never arranged', { ...usual, version: 0, changed: false }, 0, 'nothing'],
  ['never arranged here, but elsewhere', { ...usual, version: 0, changed: false }, 7, 'adopt'],
] as const)('%s', (_, here, version, step) => {
  expect(nextStep(here, profile(version))).toBe(step);
});
