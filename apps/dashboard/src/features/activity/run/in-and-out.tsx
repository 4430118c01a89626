import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { t } from '../../../language/translate.ts';
import classes from './run.module.css';

/** Input and output of an action, or of one item of its list. */
export function InAndOut({ details, isOver }: { details: ActionActivity['details']; isOver: boolean }) {
  return (
    <div className={classes.inAndOut}>
      <JsonSection title={t('Input')} value={details.action_input} nothing={t('This action takes no input.')} />
      <JsonSection
        title={t('Output')}
        value={details.action_output}
        nothing={isOver ? t('There is no output.') : t('Not there yet.')}
      />
    </div>
  );
}
