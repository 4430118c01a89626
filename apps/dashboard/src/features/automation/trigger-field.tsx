import type { ResponseTrigger } from '@airdeck/contracts/rule-responses/schema';
import { Select } from '@mantine/core';
import { t } from '../../language/translate.ts';

/** What an automation answers, as it follows the word "when". */
export const triggerWords: Readonly<Record<ResponseTrigger, string>> = {
  case_opened: t('a case opens'),
  respond_warning: t('a case is soon due for a response'),
  respond_breach: t('a case is late for a response'),
  resolve_warning: t('a case is soon due for closing'),
  resolve_breach: t('a case is late for closing'),
};

const choices = Object.entries(triggerWords).map(([value, words]) => ({
  value,
  label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
}));

type Props = { value: ResponseTrigger; onChange: (trigger: ResponseTrigger) => void };

/** When it starts: with the case, or by its clock. */
export function TriggerField({ value, onChange }: Props) {
  return (
    <Select
      label={t('Starts when')}
      description={
        value === 'case_opened'
          ? undefined
          : t('By the case times of the tenant. At most once for a case; not while it waits on the customer.')
      }
      allowDeselect={false}
      data={choices}
      value={value}
      onChange={(next) => onChange((next as ResponseTrigger | null) ?? 'case_opened')}
    />
  );
}
