import type { Contract } from '@airdeck/contracts/contract/schema';
import type { Locale } from '@airdeck/domain/display-time';
import { formatTypedDate, parseTypedDate } from '@airdeck/domain/locale-date';
import { t } from '../../../language/translate.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';
import type { ContractTermsBody } from '../../../queries/contract.ts';

/** The form as typed. */
export type TermFields = { start_date: string; end_date: string; renewal_notice_date: string; seats: string };
export type TermProblems = Partial<Record<keyof TermFields, string>>;

type Terms = Pick<Contract, keyof TermFields>;

const SEATS_MAX = 1_000_000;

export function termFieldsOf(terms: Terms | undefined, locale: Locale): TermFields {
  if (terms === undefined) return { start_date: '', end_date: '', renewal_notice_date: '', seats: '' };
  const typed = (date: string) => formatTypedDate(date, { locale });
  return {
    start_date: typed(terms.start_date),
    end_date: typed(terms.end_date),
    renewal_notice_date: terms.renewal_notice_date === null ? '' : typed(terms.renewal_notice_date),
    seats: terms.seats === null ? '' : String(terms.seats),
  };
}

export function termWords(fields: TermFields): FieldWords {
  return {
    [t('Start')]: fields.start_date,
    [t('End')]: fields.end_date,
    [t('Renewal notice')]: fields.renewal_notice_date,
    [t('Seats')]: fields.seats,
  };
}

/** What a change is made from: none where nothing was entered yet. */
export function termsOf(contract: Terms | undefined): Terms | null {
  if (contract === undefined) return null;
  const { start_date, end_date, renewal_notice_date, seats } = contract;
  return { start_date, end_date, renewal_notice_date, seats };
}

export type ReadTerms = { body: ContractTermsBody; problems?: never } | { body?: never; problems: TermProblems };

/** What was typed as the route takes it, or what to say beside the fields. */
export function readTerms(fields: TermFields, locale: Locale): ReadTerms {
  const problems: TermProblems = {};
  const date = (name: 'start_date' | 'end_date' | 'renewal_notice_date'): string => {
    try {
      return parseTypedDate(fields[name], locale);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems[name] = error.message;
      return '';
    }
  };
  const start_date = date('start_date');
  const end_date = date('end_date');
  const renewal_notice_date = fields.renewal_notice_date.trim() === '' ? null : date('renewal_notice_date');
  if (problems.end_date === undefined && problems.start_date === undefined && end_date <= start_date) {
    problems.end_date = t('Must be after the start.');
  }
  const typed = fields.seats.trim();
  const seats = typed === '' ? null : Number(typed);
  if (seats !== null && !(/^\d+$/.test(typed) && seats >= 1 && seats <= SEATS_MAX)) {
    problems.seats = t('A whole number from 1, or nothing for no limit.');
  }
  return Object.keys(problems).length > 0
    ? { problems }
    : { body: { start_date, end_date, renewal_notice_date, seats } };
}
