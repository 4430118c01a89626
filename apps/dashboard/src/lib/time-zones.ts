import { t } from '../language/translate.ts';
import { plainLetters } from './plain-letters.ts';

export type ZoneOption = { value: string; label: string };

/** Stands for the empty zone of the profile, which a select cannot hold. */
export const BROWSER_ZONE = 'browser';

/** Every zone this browser knows by a place, its own first, and the saved one if it goes by another name here. */
export function zoneOptions(saved: string): ZoneOption[] {
  const own = new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone;
  // Some list abbreviations too, which are refused.
  const known = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
  const names = [...new Set(['UTC', ...known, ...(saved === '' ? [] : [saved])])];
  return [
    { value: BROWSER_ZONE, label: t('As this browser: {spoken}', { spoken: spoken(own) }) },
    ...names.map((value) => ({ value, label: spoken(value) })),
  ];
}

/** Options whose name has what was typed, whatever its accents, underscores and case. */
export function searchZones<T extends ZoneOption>(options: readonly T[], typed: string): T[] {
  const wanted = plain(typed);
  return options.filter(({ label }) => plain(label).includes(wanted));
}

function spoken(zone: string): string {
  return zone.replaceAll('_', ' ');
}

function plain(text: string): string {
  return plainLetters(text).replaceAll('_', ' ').trim();
}
