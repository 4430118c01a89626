/**
 * Everything an executive report says, as plain values: gathered once, kept with the report, and laid out from nothing
 * else. So a file can be made again, and its tables be taken as CSV, without the figures having moved on.
 */

import type { CaseSeverity, CaseStatus, CloseReason, RunStatus } from '@airdeck/contracts/statuses';
import type { Locale } from '@airdeck/domain/display-time';
import type { CaseMeans } from '../cases/case-means.ts';

export type CasePeriod = {
  cases: number;
  closed: number;
  by_severity: Record<CaseSeverity, number>;
  /** A successful automated response. */
  answered: number;
  false_positives: number;
  means: CaseMeans;
  /** With a target, and past it. */
  late_responses: number;
  late_resolutions: number;
  with_targets: number;
};

/** Monday to Sunday of the report's zone, cut off at the ends of the month. */
export type CaseWeek = { start: string; end: string; by_severity: Record<CaseSeverity, number>; means: CaseMeans };

export type NotableCase = {
  reference: string;
  name: string;
  severity: CaseSeverity;
  status: CaseStatus;
  close_reason: CloseReason | null;
  events: number;
  opened: string;
  closed: string | null;
  answered: boolean;
};

export type AutomationPeriod = {
  runs: number;
  actions: number;
  failed_runs: number;
  minutes_saved: number;
  /** Runs of the period that ended before this were deleted already, and are not counted. Absent where none was. */
  kept_from?: string;
};

export type TacticCoverage = { tactic: string; policies: number; techniques: number; cases: number };

export type Standing = {
  policies: number;
  enabled_policies: number;
  automation_enabled: boolean;
  /** Cases that are not closed and were opened a week ago or earlier. */
  old_cases: number;
  failing_connectors: string[];
  members: number;
  members_without_mfa: number;
  noisy_policies: { name: string; cases: number; false_positives: number }[];
};

export type RecommendationId =
  | 'automation_off'
  | 'connectors_failing'
  | 'silent_sources'
  | 'no_policies'
  | 'sla_missed'
  | 'members_without_mfa'
  | 'volume_dropped'
  | 'cases_standing'
  | 'runs_failing'
  | 'slower'
  | 'unanswered'
  | 'noisy_policies'
  | 'tactics_uncovered'
  | 'policies_off';

/** What is to be said, with what goes into the sentence. */
export type Recommendation = {
  id: RecommendationId;
  weight: 'now' | 'soon' | 'later';
  values: Record<string, string | number>;
};

export type ExecutiveFacts = {
  /** Of this shape; one that changes is another number. */
  version: 1;
  product: string;
  tenant: { name: string; colour: string | null; logo: string | null };
  locale: Locale;
  time_zone: string;
  month: string;
  start: string;
  end: string;
  /** The month was not over. */
  partial: boolean;
  made_at: string;
  cases: CasePeriod;
  cases_before: CasePeriod;
  weeks: CaseWeek[];
  notable: NotableCase[];
  automation: AutomationPeriod & {
    playbook_results: Record<RunStatus, number>;
    top_playbooks: { name: string; count: number; success: number; error: number }[];
    top_actions: { label: string; count: number; success: number; error: number; time_saved_minutes: number }[];
    minutes_each: { effect: string; actions: number; minutes_each: number }[];
  };
  automation_before: AutomationPeriod;
  coverage: TacticCoverage[];
  volume: {
    events: number;
    bytes: number;
    by_day: { day: string; events: number; bytes: number }[];
    sources: { name: string; events: number; bytes: number; previous_events: number }[];
    other: { sources: number; events: number; bytes: number };
    silent: string[];
    /** Beyond those named; reports made earlier do not say. */
    silent_more?: number;
  };
  volume_before: { events: number; bytes: number };
  standing: Standing;
  recommendations: Recommendation[];
};

/** A figure of a period; null where runs it would count were deleted already. */
export function ofAllRuns(
  period: AutomationPeriod,
  figure: Exclude<keyof AutomationPeriod, 'kept_from'>,
): number | null {
  return period.kept_from === undefined ? period[figure] : null;
}
