import { t } from '../../../language/translate.ts';

/** Languages a report can be written in, with their formats. */
export const localeChoices = [
  { value: 'en-US', label: t('English (United States)') },
  { value: 'en-CA', label: t('English (Canada)') },
  { value: 'pt-BR', label: t('Português (Brasil)') },
] as const;
