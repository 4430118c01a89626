import { expect, onTestFinished, test, vi } from 'vitest';
import { searchZones, zoneOptions } from '../../../lib/time-zones.ts';
import { userWith } from '../../../session/fixtures.ts';
import { changeOf, fieldsOf, problemsOf, timePreview } from './profile-fields.ts';

const saved = fieldsOf(userWith().user);

test('only what was changed is sent, so that two tabs do not undo each other', () => {
  expect(changeOf(saved, saved)).toBeUndefined();
  expect(changeOf(saved, { ...saved, phone: '+1 555 0100', locale: 'pt-BR' })).toEqual({
    phone: '+1 555 0100',
    locale: 'pt-BR',
  });
});

test('problems of the server stand at their fields, and only at those of this form', () => {
  const details = [
    { path: 'body.phone', message: 'Digits only.' },
    { path: 'body.notification_preferences.digest', message: 'no' },
  ];
  expect(problemsOf(details)).toEqual({ phone: 'Digits only.' });
});

test('the preview shows the chosen zone and locale before they are saved', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  expect(timePreview({ locale: 'pt-BR', timezone: 'America/Sao_Paulo' }, now)).toBe('Hoje às 9:00 AM');
});

test('a saved zone this browser lists under another name can still be chosen', () => {
  const values = zoneOptions('Asia/Nowhere').map(({ value }) => value);
  expect(values).toContain('Asia/Nowhere');
  expect(values).toContain('UTC');
  expect(new Set(values).size).toBe(values.length);
});

test('abbreviations, which some browsers list, are not offered; one saved long ago is still named', () => {
  const known = vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['CET', 'EST', 'Europe/Lisbon']);
  onTestFinished(() => known.mockRestore());
  expect(zoneOptions('CET').map(({ value }) => value)).toEqual(['browser', 'UTC', 'Europe/Lisbon', 'CET']);
});

test.each([
  ['sao paulo', 'America/Sao_Paulo'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['america/new', 'America/New_York'],
  ['lisb', 'Europe/Lisbon'],
])('"%s" finds %s', (typed, zone) => {
  expect(searchZones(zoneOptions(''), typed).map(({ value }) => value)).toContain(zone);
});
