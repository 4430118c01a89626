import type { CurrentUser } from '@airdeck/contracts/me/schema';
import { displayTime, type Locale } from '@airdeck/domain/display-time';
import { t } from '../../../language/translate.ts';
import type { ProfileChange } from '../../../queries/me.ts';

export type ProfileFields = {
  fullname: string;
  phone: string;
  job_title: string;
  locale: Locale;
  /** Empty is the browser's zone. */
  timezone: string;
};

export type ProfileProblems = Partial<Record<keyof ProfileFields, string>>;

const names = ['fullname', 'phone', 'job_title', 'locale', 'timezone'] as const;

export const localeOptions: readonly { value: Locale; label: string }[] = [
  { value: 'en-US', label: t('English (United States) · MM/dd/yyyy') },
  { value: 'en-CA', label: t('English (Canada) · yyyy-MM-dd') },
  { value: 'pt-BR', label: t('Português (Brasil) · dd/MM/yyyy') },
];

/** What the form starts with. */
export function fieldsOf({ fullname, phone, job_title, locale, timezone }: CurrentUser['user']): ProfileFields {
  const known = localeOptions.find(({ value }) => value === locale)?.value ?? 'en-US';
  return { fullname, phone, job_title, locale: known, timezone };
}

/** Only what differs from what is saved; undefined when nothing does. */
export function changeOf(saved: ProfileFields, fields: ProfileFields): ProfileChange | undefined {
  const changed = names.filter((name) => fields[name] !== saved[name]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, fields[name]]));
}

/** Problems the server named, by field. */
export function problemsOf(details: readonly { path: string; message: string }[]): ProfileProblems {
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = details.find(({ path }) => path === name || path === `body.${name}`);
      return found === undefined ? [] : [[name, found.message]];
    }),
  );
}

/** The time it is now as these settings show it. */
export function timePreview({ locale, timezone }: Pick<ProfileFields, 'locale' | 'timezone'>, now: Date): string {
  return displayTime(now, { now, locale, ...(timezone === '' ? {} : { timeZone: timezone }) });
}
