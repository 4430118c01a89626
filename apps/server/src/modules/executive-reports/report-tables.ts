/** The tables of a report as CSV, from what it was laid out of: the same figures, with their full precision. */
import type { ExecutiveReportTable } from '@airdeck/contracts/reports/executive-report';
import { caseSeverities } from '@airdeck/contracts/statuses';
import type { CsvRow, CsvTable } from '../activity-report/send-csv.ts';
import { type CasePeriod, type ExecutiveFacts, ofAllRuns } from './executive-facts.ts';
import { createFormats } from './pdf/report-formats.ts';
import { recommendationText } from './pdf/summary-section.ts';

type Cells = CsvRow;

const caseFigures: readonly (readonly [name: string, of: (period: CasePeriod) => number | null])[] = [
  ['cases_opened', ({ cases }) => cases],
  ...caseSeverities.map(
    (severity) => [`cases_${severity}`, ({ by_severity: by }: CasePeriod) => by[severity]] as const,
  ),
  ['cases_closed', ({ closed }) => closed],
  ['cases_answered', ({ answered }) => answered],
  ['false_positives', ({ false_positives: count }) => count],
  ['late_responses', ({ late_responses: count }) => count],
  ['late_resolutions', ({ late_resolutions: count }) => count],
  ['manual_mttd_s', ({ means }) => means.manual_mttd],
  ['automated_mttd_s', ({ means }) => means.automated_mttd],
  ['manual_mttr_s', ({ means }) => means.manual_mttr],
  ['automated_mttr_s', ({ means }) => means.automated_mttr],
];

const automationFigures = [
  ['playbook_runs', 'runs'],
  ['failed_runs', 'failed_runs'],
  ['actions', 'actions'],
  ['minutes_saved', 'minutes_saved'],
] as const;

export const reportTables: Readonly<Record<ExecutiveReportTable, (facts: ExecutiveFacts) => CsvTable>> = {
  figures: (facts) => {
    const { automation, automation_before: before, volume, volume_before: volumeBefore } = facts;
    return {
      columns: ['figure', facts.month, 'month_before'],
      rows: [
        ...caseFigures.map(([name, of]): Cells => [name, of(facts.cases), of(facts.cases_before)]),
        ...automationFigures.map(([name, of]): Cells => [name, ofAllRuns(automation, of), ofAllRuns(before, of)]),
        ['events', volume.events, volumeBefore.events],
        ['bytes', volume.bytes, volumeBefore.bytes],
      ],
    };
  },
  cases_by_week: ({ weeks }) => ({
    columns: ['start', 'end', ...caseSeverities],
    rows: weeks.map(({ start, end, by_severity: by }) => [start, end, ...caseSeverities.map((each) => by[each])]),
  }),
  times_by_week: ({ weeks }) => ({
    columns: ['start', 'end', 'manual_mttd_s', 'automated_mttd_s', 'manual_mttr_s', 'automated_mttr_s'],
    rows: weeks.map(({ start, end, means }) => [
      ...[start, end, means.manual_mttd, means.automated_mttd],
      ...[means.manual_mttr, means.automated_mttr],
    ]),
  }),
  notable_cases: ({ notable }) => ({
    columns: ['reference', 'name', 'severity', 'status', 'close_reason', 'events', 'opened', 'closed', 'answered'],
    rows: notable.map((row) => [
      ...[row.reference, row.name, row.severity, row.status, row.close_reason],
      ...[row.events, row.opened, row.closed, String(row.answered)],
    ]),
  }),
  automation: ({ automation: { top_playbooks: playbooks, top_actions: actions } }) => ({
    columns: ['of', 'name', 'count', 'success', 'error', 'minutes_saved'],
    rows: [
      ...playbooks.map((row): Cells => ['playbook', row.name, row.count, row.success, row.error, null]),
      ...actions.map(
        (row): Cells => [...['action', row.label, row.count, row.success, row.error], row.time_saved_minutes],
      ),
    ],
  }),
  coverage: ({ coverage }) => ({
    columns: ['tactic', 'policies', 'techniques', 'cases'],
    rows: coverage.map((row) => [row.tactic, row.policies, row.techniques, row.cases]),
  }),
  volume_by_day: ({ volume }) => ({
    columns: ['day', 'events', 'bytes'],
    rows: volume.by_day.map((row) => [row.day, row.events, row.bytes]),
  }),
  sources: (facts) => {
    const { sources, other } = facts.volume;
    const { words } = createFormats(facts);
    const rest: Cells = [words.otherSources(other.sources), other.events, other.bytes, null];
    return {
      columns: ['name', 'events', 'bytes', 'previous_events'],
      rows: [
        ...sources.map((row): Cells => [row.name, row.events, row.bytes, row.previous_events]),
        ...(other.events > 0 ? [rest] : []),
      ],
    };
  },
  recommendations: (facts) => {
    const formats = createFormats(facts);
    return {
      columns: ['weight', 'recommendation', 'reason'],
      rows: facts.recommendations.map((each) => [each.weight, ...recommendationText(each, formats)]),
    };
  },
};
