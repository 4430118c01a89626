import type { TriggerInfo } from '@airdeck/contracts/activity/schema';
import type { ActionRunType } from '@airdeck/contracts/statuses';
import { t } from '../language/translate.ts';

/** What started a run, in words. */
export function triggerWords({ trigger_type, case_id, automation_rule: rule }: TriggerInfo): string {
  switch (trigger_type) {
    case 'manual':
      return t('By hand');
    case 'event':
      if (rule !== undefined) return t('By an alert');
      return case_id === null ? t('By an event') : t('By a case');
    case 'schedule':
      return t('On schedule');
    case 'workflow':
      return t('By a playbook');
  }
}

/** Types of action runs (spec §4), as people read them. */
export const actionTypeWords: Readonly<Record<ActionRunType, string>> = {
  manual: t('By hand'),
  event: t('Event'),
  workflow: t('Playbook'),
};
