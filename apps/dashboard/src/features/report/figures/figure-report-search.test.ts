import { expect, test } from 'vitest';
import { presetTimes } from '../../../lib/day-presets.ts';
import { rangePresets } from '../../../lib/range-presets.ts';
import { figureReportSearch } from './figure-report-search.ts';
import { presetOf, searchOf, timesOf } from './report-times.ts';

const at = { now: new Date('2026-03-05T12:00:00Z'), timeZone: 'America/Sao_Paulo' };

test.each(rangePresets)('the preset %s is known again from its address', (preset) => {
  const search = figureReportSearch({ ...searchOf(presetTimes(preset, at.now, at.timeZone), at) });
  expect(presetOf(search, at)).toBe(preset);
});

test('without anything the last thirty days count, in the days of the profile', () => {
  expect(timesOf({}, at)).toEqual({ start_time: '2026-02-04T03:00:00.000Z', time_zone: 'America/Sao_Paulo' });
});

test.each([{ start_time: 'yesterday' }, { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' }])(
  'an address with %j is read as without',
  (search) => {
    expect(Object.values(figureReportSearch(search)).every((value) => value === undefined)).toBe(true);
  },
);
