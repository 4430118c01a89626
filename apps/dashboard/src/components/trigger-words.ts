import type { TriggerInfo } from '@airdeck/contracts/activity/schema';
import type { ActionRunType } from '@airdeck/contracts/statuses';

/** What started a run, in words. */
export function triggerWords({ trigger_type, case_id, automation_rule: rule }: TriggerInfo): string {
  switch (trigger_type) {
    case 'manual':
      return 'By hand';
    case 'event':
      if (rule !== undefined) return 'By an alert';
      return case_id === null ? 'By an event' : 'By a case';
    case 'schedule':
      return 'On schedule';
    case 'workflow':
      return 'By a playbook';
  }
}

/** Types of action runs (spec §4), as people read them. */
export const actionTypeWords: Readonly<Record<ActionRunType, string>> = {
  manual: 'By hand',
  event: 'Event',
  workflow: 'Playbook',
};
