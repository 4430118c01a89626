/**
 * What mails and notices say, in the language of whoever reads them. The English sentence is the key of its translation;
 * only sentences that have one can be said.
 */

import { filledText, type Placeholders } from '@airdeck/contracts/filled-text';
import { displayDate, type Locale, locales } from '@airdeck/domain/display-time';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { portuguese } from './portuguese.ts';

export type MailText = keyof typeof portuguese;

type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Text>, string | number>>];

export type Words = {
  say<const Text extends MailText>(text: Text, ...values: Values<Text>): string;
  /** A time to the minute in the reader's zone, which it names. */
  minute(time: Date): string;
};

/** Who reads, as far as is known; the zone is an IANA name or empty. */
export type MailReader = { readonly locale: string; readonly timeZone: string };

/** Of somebody of whom nothing is known. */
export const unknownReader: MailReader = { locale: 'en-US', timeZone: '' };

export function wordsFor({ locale, timeZone }: MailReader): Words {
  const isPortuguese = locale === 'pt-BR';
  return {
    say: (text, ...[values]) => filledText(isPortuguese ? portuguese[text] : text, values ?? {}),
    minute(time) {
      // A zone this machine does not know must not keep anybody's mail.
      const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
      // English readers write months and days in either order: the one that cannot be mistaken.
      const date = displayDate(time, { locale: isPortuguese ? 'pt-BR' : 'en-CA', timeZone: zone });
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      return `${date} ${clock.format(time)} ${zone}`;
    },
  };
}

/** Languages in which there are words, each by one of its locales. */
export const wordLocales: readonly Locale[] = locales.filter((locale) => locale !== 'en-CA');
