import { t } from '../../language/translate.ts';
import classes from './onboarding.module.css';

const steps = ['Authenticator', t('Recovery codes'), 'Ready'] as const;

/** Where the set-up stands. */
export function OnboardingSteps({ current }: { current: (typeof steps)[number] }) {
  const at = steps.indexOf(current);
  return (
    <ol className={classes.steps} aria-label={t('Steps')}>
      {steps.map((step, index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}
