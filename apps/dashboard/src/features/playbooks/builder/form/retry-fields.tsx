import { NativeSelect } from '@mantine/core';
import { objectOf } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { DurationField } from './duration-field.tsx';
import type { Step } from './use-step.ts';

const attempts = [1, 2, 3, 5, 10] as const;
const DEFAULT_BACKOFF_S = 2;

/** How often it is tried, and how long it waits in between. */
export function RetryFields({ step }: { step: Step }) {
  const retry = objectOf(step.action.retry);
  const given = typeof retry.max_attempts === 'number' ? retry.max_attempts : 1;
  const backoff = typeof retry.backoff_s === 'number' ? retry.backoff_s : undefined;
  const choices = [...new Set([...attempts, given])].toSorted((one, other) => one - other);
  return (
    <>
      <NativeSelect
        id={step.fieldId('retry.max_attempts')}
        label={t('Tries')}
        error={step.problemOf('retry.max_attempts')}
        value={String(given)}
        data={choices.map((count) => ({
          value: String(count),
          label: count === 1 ? t('Once') : t('Up to {count} times', { count }),
        }))}
        onChange={({ currentTarget: { value } }) => {
          const max_attempts = Number(value);
          const next = { max_attempts, backoff_s: backoff ?? DEFAULT_BACKOFF_S };
          step.set({ retry: max_attempts === 1 ? undefined : next });
        }}
        onBlur={step.leave}
      />
      {given === 1 ? null : (
        <DurationField
          key={step.action.id}
          id={step.fieldId('retry.backoff_s')}
          label={t('Wait before the second try')}
          help={t('Each further wait is longer.')}
          seconds={backoff}
          problem={step.problemOf('retry.backoff_s')}
          onChange={(backoff_s) => step.set({ retry: { max_attempts: given, backoff_s: backoff_s ?? 0 } }, 'backoff')}
          onLeave={step.leave}
        />
      )}
    </>
  );
}
