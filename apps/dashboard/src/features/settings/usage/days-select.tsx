import { NativeSelect } from '@mantine/core';
import { t } from '../../../language/translate.ts';

const choices = [7, 30, 90] as const;
export type UsageDays = (typeof choices)[number];

export const DEFAULT_DAYS: UsageDays = 30;

type Props = { label: string; days: UsageDays; onChange: (days: UsageDays) => void };

/** How many days up to now are shown. */
export function DaysSelect({ label, days, onChange }: Props) {
  return (
    <NativeSelect
      aria-label={label}
      value={String(days)}
      data={choices.map((count) => ({ value: String(count), label: t('Last {count} days', { count }) }))}
      onChange={({ currentTarget: { value } }) =>
        onChange(choices.find((count) => String(count) === value) ?? DEFAULT_DAYS)
      }
    />
  );
}
