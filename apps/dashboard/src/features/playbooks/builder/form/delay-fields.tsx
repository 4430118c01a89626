import { t } from '../../../../language/translate.ts';
import { DurationField } from './duration-field.tsx';
import type { Step } from './use-step.ts';

/** How long it waits. */
export function DelayFields({ step }: { step: Step }) {
  const { seconds } = step.action;
  return (
    <DurationField
      key={step.action.id}
      id={step.fieldId('seconds')}
      label={t('Wait for')}
      seconds={typeof seconds === 'number' ? seconds : undefined}
      problem={step.problemOf('seconds')}
      onChange={(next) => step.set({ seconds: next })}
      onLeave={step.leave}
    />
  );
}
