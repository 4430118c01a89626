import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import { t } from '../../../language/translate.ts';

/** Asked for one by one, as addresses name kinds before the language of the page is settled. */
const labels: Readonly<Record<CaseActivityKind, () => string>> = {
  opened: () => t('Opened##story'),
  events_added: () => t('More events'),
  run_started: () => t('Response started'),
  run_finished: () => t('Response finished'),
  action_finished: () => t('Action finished'),
  prompt_asked: () => t('Question asked'),
  prompt_answered: () => t('Question answered'),
  status_changed: () => t('Status'),
  severity_changed: () => t('Severity'),
  assigned: () => t('Assignment'),
  tagged: () => t('Tags'),
  commented: () => t('Comment'),
  waiting_changed: () => t('Waiting##story'),
  sla_warning: () => t('Soon due'),
  sla_breach: () => t('Late'),
  escalated: () => t('Escalated'),
};

export const storyKinds = Object.keys(labels) as readonly CaseActivityKind[];

/** Name of a kind of story entries, as the filter offers it. */
export function storyKindLabel(kind: CaseActivityKind): string {
  return labels[kind]();
}
