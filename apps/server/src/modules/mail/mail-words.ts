/**
 * What mails and notices say, in the language of whoever reads them. The English sentence is the key of its translation;
 * only sentences that have one can be said.
 */

import { filledText, type Placeholders } from '@airdeck/contracts/filled-text';
import { type Locale, locales } from '@airdeck/domain/display-time';
import { momentText } from '@airdeck/domain/moment-text';
import { isKnownZone } from '@airdeck/domain/time-zone';
import { portuguese } from './portuguese.ts';

export type MailText = keyof typeof portuguese;

type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Text>, string | number>>];

export type Words = {
  say<const Text extends MailText>(text: Text, ...values: Values<Text>): string;
  /** A sentence that was stored in English; as it is where there is no translation. */
  told(text: string): string;
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
    say: (text, ...[values]) =>
      isPortuguese ? filledText(portuguese[text], values ?? {}, locale) : filledText(text, values ?? {}),
    told: (text) => (isPortuguese && Object.hasOwn(portuguese, text) ? portuguese[text as MailText] : text),
    minute(time) {
      // A zone this machine does not know must not keep anybody's mail.
      const zone = isKnownZone(timeZone) ? timeZone : 'UTC';
      return `${momentText(time, { locale, timeZone: zone })} ${zone}`;
    },
  };
}

/** Languages in which there are words, each by one of its locales. */
export const wordLocales: readonly Locale[] = locales.filter((locale) => locale !== 'en-CA');
