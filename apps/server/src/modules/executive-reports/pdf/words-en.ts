/** Everything a report says in English. The Portuguese one has the same keys. */
import type { CaseSeverity, CaseStatus, CloseReason, RunStatus } from '@airdeck/contracts/statuses';
import type { RecommendationId } from '../executive-facts.ts';

type Values = Record<string, string | number>;

const of = (count: string | number | undefined, one: string, more: string) =>
  `${count} ${Number(count) === 1 ? one : more}`;

export const wordsEn = {
  title: 'Security report',
  kicker: 'Monthly security report',
  partial: 'Month so far',
  confidential: 'Confidential',
  period: 'Period',
  made: 'Made',
  by: 'By',
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
  none: 'None',

  summary: 'Summary',
  summaryText: (v: { cases: string; opened: number; change: string; answered: string; saved: string }) =>
    `${v.cases} ${v.opened === 1 ? 'case was' : 'cases were'} opened${v.change}. ${v.answered} ${v.opened === 1 ? 'of it' : 'of them'} had a successful automated response, and automation saved about ${v.saved} of work.`,
  summaryAnswered: (v: { cases: string; opened: number; change: string; answered: string }) =>
    `${v.cases} ${v.opened === 1 ? 'case was' : 'cases were'} opened${v.change}. ${v.answered} ${v.opened === 1 ? 'of it' : 'of them'} had a successful automated response.`,
  summaryUnanswered: (v: { cases: string; opened: number; change: string }) =>
    `${v.cases} ${v.opened === 1 ? 'case was' : 'cases were'} opened${v.change}. Automation answered none of them successfully.`,
  summaryEmpty: 'No case was opened. What was watched meanwhile, and how, is on the following pages.',
  more: (count: number, month: string) => `, ${count} more than in ${month}`,
  fewer: (count: number, month: string) => `, ${count} fewer than in ${month}`,
  asMany: (month: string) => `, as many as in ${month}`,
  versus: (change: string, month: string) => `${change} vs. ${month}`,
  unchanged: (month: string) => `as in ${month}`,
  noneBefore: (month: string) => `none in ${month}`,
  actFirst: 'What to do first',
  nothingToDo: 'Nothing stands out this month. Keep it that way: the figures behind this are on the following pages.',

  casesOpened: 'Cases opened',
  severe: 'Critical and high',
  casesClosed: 'Closed so far',
  answeredShare: 'Answered automatically',
  manualMttd: 'Time to acknowledge (people)',
  manualMttr: 'Time to close (people)',
  timeSaved: 'Work saved',
  eventsCollected: 'Events collected',

  cases: 'Cases',
  casesByWeek: 'Cases by week and severity',
  mttdByWeek: 'Mean time to detect (MTTD) by week',
  mttrByWeek: 'Mean time to respond (MTTR) by week',
  manual: 'By people',
  automated: 'Automated',
  noMeans: 'Nothing to average in this month.',
  mttdNote: 'Automated: first matching event to case. By people: case to acknowledgement.',
  mttrNote: 'Automated: case to first successful response. By people: case to closing.',
  targets: (v: Values) =>
    `Of ${of(v.with_targets, 'case', 'cases')} with time targets, ${v.late_responses} missed the time to respond and ${v.late_resolutions} the time to close.`,
  noTargets: 'No case of this month had time targets.',
  noCases: 'No cases in this month.',

  notable: 'Notable cases',
  notableNote: 'The most severe first, and among those the ones with most events.',
  reference: 'Case',
  what: 'What happened',
  opened: 'Opened',
  state: 'State',
  events: 'Events',
  automaticShort: 'automated response',

  automation: 'Automation',
  playbookRuns: 'Playbook runs',
  actionsRun: 'Actions run',
  failedRuns: 'Failed runs',
  topPlaybooks: 'Playbooks that ran most',
  topActions: 'Actions that ran most',
  name: 'Name',
  runs: 'Runs',
  succeeded: 'Succeeded',
  failed: 'Failed',
  saved: 'Saved',
  savedNote: (minutes: string) => `Work saved is an assumption: each successful action counts ${minutes}.`,
  effects: { reads: 'that reads', changes: 'that changes something', destroys: 'that removes something' },
  noAutomation: 'Nothing ran in this month.',
  runsDeleted: (date: string) =>
    `Runs from before ${date} are no longer kept, so what ran in this month cannot be told.`,
  runsKeptFrom: (date: string) => `Runs from before ${date} are no longer kept and not counted here.`,

  coverage: 'Coverage',
  coverageNote:
    'Tactics of MITRE ATT&CK, in the order of an attack, by the policies that are on and name a technique of them.',
  tactic: 'Tactic',
  policies: 'Policies on',
  techniques: 'Techniques',
  uncovered: 'not covered',
  tactics: {} as Record<string, string>,

  volume: 'Log collection',
  volumeByDay: 'Events by day',
  source: 'Source',
  share: 'Share',
  bytes: 'Size',
  change: 'Change',
  otherSources: (count: number) => of(count, 'other source', 'other sources'),
  silent: 'Silent sources',
  andMore: (count: number) => `and ${count} more`,
  noEvents: 'No events in this month.',

  recommendations: 'Recommendations',
  weights: { now: 'Now', soon: 'Soon', later: 'Later' },
  recommend: {
    automation_off: () => [
      'Switch automation on again',
      'The kill switch is on: no response starts by itself, whatever is detected.',
    ],
    connectors_failing: (v) => [
      `Repair ${of(v.count, 'connector', 'connectors')}`,
      `${v.names}: the last test or fetch failed, so events are missing and actions through them end in an error.`,
    ],
    silent_sources: (v) => [
      `Find out why ${of(v.count, 'source is', 'sources are')} silent`,
      `${v.names}: nothing has come in lately. What is not collected cannot be detected.`,
    ],
    no_policies: () => ['Enable policies', 'No policy is on, so nothing that is collected can open a case.'],
    sla_missed: (v) => [
      'Meet the time targets',
      `${of(v.responses, 'case was', 'cases were')} acknowledged late or not at all, and ${of(v.resolutions, 'was', 'were')} closed late or not yet, past the target. Look at who is on duty when cases open, or answer more of them automatically.`,
    ],
    members_without_mfa: (v) => [
      'Have everybody use an authenticator',
      `${v.count} of ${of(v.members, 'member', 'members')} sign in with a password alone. A stolen password is then all it takes.`,
    ],
    volume_dropped: (v) => [
      'Check what is collected',
      `${v.percent}% fewer events than in the month before. If nothing was switched off on purpose, a source has lost its way.`,
    ],
    cases_standing: (v) => [
      'Close old cases',
      `${of(v.count, 'case has', 'cases have')} been open for more than a week.`,
    ],
    runs_failing: (v) => [
      'Mend failing playbooks',
      `${v.failed} of ${of(v.runs, 'run', 'runs')} failed. Each is an answer that did not happen.`,
    ],
    slower: (v) => [
      'Look at why closing takes longer',
      `People took ${v.percent}% longer to close a case than in the month before.`,
    ],
    unanswered: (v) => [
      'Answer more cases automatically',
      `${v.count} of ${of(v.cases, 'case', 'cases')} had no successful automated response. The policies that open most of them are where a playbook pays first.`,
    ],
    noisy_policies: (v) => [
      `Tune ${of(v.count, 'policy', 'policies')}`,
      `${v.names}: more than half of their cases were false positives or benign.`,
    ],
    tactics_uncovered: (v) => [
      'Cover more of an attack',
      `${v.count} of ${v.tactics} tactics ${Number(v.count) === 1 ? 'has' : 'have'} no policy that is on: ${v.tactic_names}.`,
    ],
    policies_off: (v) => [
      'Decide on policies that are off',
      `${v.count} of ${of(v.policies, 'policy', 'policies')} are off. Try each against the past events, then switch it on or delete it.`,
    ],
  } satisfies Record<RecommendationId, (values: Values) => [string, string]> as Record<
    RecommendationId,
    (values: Values) => [string, string]
  >,

  severities: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as Record<CaseSeverity, string>,
  statuses: { open: 'Open', acknowledged: 'Acknowledged', closed: 'Closed' } as Record<CaseStatus, string>,
  closeReasons: {
    true_positive: 'true positive',
    false_positive: 'false positive',
    benign: 'benign',
    duplicate: 'duplicate',
  } as Record<CloseReason, string>,
  runStatuses: {
    success: 'Succeeded',
    error: 'Failed',
    cancelled: 'Cancelled',
    running: 'Running',
    waiting: 'Waiting',
    pending: 'Not begun',
  } as Record<RunStatus, string>,
};

export type Words = typeof wordsEn;
