import { displayTime } from './display-time.ts';

const LATER_MS = 3 * 86_400_000;

/**
 * A time inside a sentence that is read on some later day: `MMM d, yyyy h:mm a` (spec §9), never "Today". Texts are English
 * or Portuguese, so any other locale has the English months. Without a zone it is the machine's.
 */
export function momentText(
  time: Date,
  { locale, timeZone }: { locale: string; timeZone?: string | undefined },
): string {
  return displayTime(time, {
    now: new Date(time.getTime() + LATER_MS),
    locale: locale === 'pt-BR' ? 'pt-BR' : 'en-US',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}
