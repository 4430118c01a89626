import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';

/** Names of the kinds of story entries, as the filter offers them. */
export const storyKindLabels: Readonly<Record<CaseActivityKind, string>> = {
  opened: 'Opened',
  events_added: 'More events',
  run_started: 'Response started',
  run_finished: 'Response finished',
  action_finished: 'Action finished',
  prompt_asked: 'Question asked',
  prompt_answered: 'Question answered',
  status_changed: 'Status',
  severity_changed: 'Severity',
  assigned: 'Assignment',
  tagged: 'Tags',
  commented: 'Comment',
  waiting_changed: 'Waiting',
  sla_warning: 'Soon due',
  sla_breach: 'Late',
  escalated: 'Escalated',
};

export const storyKinds = Object.keys(storyKindLabels) as readonly CaseActivityKind[];
