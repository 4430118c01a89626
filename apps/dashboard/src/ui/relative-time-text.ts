import { t } from '../language/translate.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** "just now", "5 min ago", "in 2 h"; undefined from a day on, where the date says more. */
export function relativeTime(at: Date, now: Date): string | undefined {
  const seconds = Math.round((now.getTime() - at.getTime()) / 1000);
  const size = Math.abs(seconds);
  // Clocks differ a little; the future within a few seconds is now.
  if (size < 10) return t('just now');
  if (size >= DAY_S) return undefined;
  const text =
    size < MINUTE_S
      ? `${size} s`
      : size < HOUR_S
        ? t('{floor} min', { floor: Math.floor(size / MINUTE_S) })
        : `${Math.floor(size / HOUR_S)} h`;
  return seconds < 0 ? t('in {text}', { text }) : t('{text} ago', { text });
}
