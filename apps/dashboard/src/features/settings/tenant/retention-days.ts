import { t } from '../../../language/translate.ts';

/** What is wrong with the days somebody typed; undefined when they can be saved. */
export function daysProblem(text: string, planDays: number): string | undefined {
  if (!/^\d{1,6}$/.test(text.trim())) return t('Enter a whole number of days.');
  const days = Number(text);
  if (days < 1) return t('At least one day.');
  return days > planDays ? t('The plan keeps events for {planDays} days at most.', { planDays }) : undefined;
}
