import { t } from '../../../language/translate.ts';

/** A share of 0 to 1 as people read it; a dash where nothing ended. Only all of them are 100 %. */
export function successText(rate: number | null, locale: string): string {
  if (rate === null) return '–';
  const percent = rate === 1 ? 100 : Math.min(99, Math.round(rate * 100));
  return t('{percent} %', { percent: percent.toLocaleString(locale) });
}
