import { IconFlask } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import classes from './dry-run-badge.module.css';

/** Marks a run that only tried: nothing but actions that read really ran. */
export function DryRunBadge() {
  return (
    <span className={classes.badge} title={t('Only actions that read really ran.')}>
      <IconFlask size={14} aria-hidden />
      {t('Dry run')}
    </span>
  );
}
