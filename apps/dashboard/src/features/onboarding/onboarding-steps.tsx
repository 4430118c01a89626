import { t } from '../../language/translate.ts';
import classes from './onboarding.module.css';

const steps = { authenticator: t('Authenticator'), codes: t('Recovery codes'), ready: t('Ready') };

/** Where the set-up stands. */
export function OnboardingSteps({ current }: { current: keyof typeof steps }) {
  const at = Object.keys(steps).indexOf(current);
  return (
    <ol className={classes.steps} aria-label={t('Steps')}>
      {Object.entries(steps).map(([step, word], index) => (
        <li key={step} aria-current={index === at ? 'step' : undefined} data-done={index < at || undefined}>
          {word}
        </li>
      ))}
    </ol>
  );
}
