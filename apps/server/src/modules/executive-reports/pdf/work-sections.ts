/** What automation did, what is watched for, and what was collected. */

import { stackedBars } from '../../../pdf/charts.ts';
import type { PageFlow } from '../../../pdf/page-flow.ts';
import type { Pen } from '../../../pdf/pen.ts';
import { ink, type } from '../../../pdf/report-style.ts';
import type { ExecutiveFacts, TacticCoverage } from '../executive-facts.ts';
import type { Formats } from './report-formats.ts';

const DAYS = 128;

type Outcome = { count: number; success: number; error: number };

export function drawAutomation(flow: PageFlow, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  const { automation } = facts;
  flow.section(words.automation, 200);
  const { kept_from: keptFrom } = automation;
  if (automation.runs + automation.actions === 0) {
    flow.paragraph(keptFrom === undefined ? words.noAutomation : words.runsDeleted(formats.date(keptFrom)));
    return;
  }
  flow.tiles([
    { label: words.playbookRuns, value: formats.count(automation.runs) },
    { label: words.failedRuns, value: formats.count(automation.failed_runs) },
    { label: words.actionsRun, value: formats.count(automation.actions) },
    { label: words.timeSaved, value: formats.minutes(automation.minutes_saved) },
  ]);
  const minutes = automation.minutes_each
    .map(({ effect, minutes_each: each }) => `${formats.minutes(each)} (${effectWords(effect, formats)})`)
    .join(', ');
  if (keptFrom !== undefined) flow.paragraph(words.runsKeptFrom(formats.date(keptFrom)), type.small);
  flow.paragraph(words.savedNote(minutes), type.small);
  flow.gap(14);
  if (automation.top_playbooks.length > 0) {
    flow.heading(words.topPlaybooks);
    flow.table(
      [{ head: words.name, share: 58, cell: ({ name }: { name: string } & Outcome) => name }, ...outcomes(formats)],
      automation.top_playbooks,
    );
    flow.gap(16);
  }
  if (automation.top_actions.length > 0) {
    flow.heading(words.topActions);
    type Action = ExecutiveFacts['automation']['top_actions'][number];
    flow.table<Action>(
      [
        { head: words.name, share: 44, cell: ({ label }) => label },
        ...outcomes(formats),
        { head: words.saved, share: 14, align: 'right', cell: (row) => formats.minutes(row.time_saved_minutes) },
      ],
      automation.top_actions,
    );
  }
}

function outcomes({ words, count }: Formats) {
  return [
    { head: words.runs, share: 14, align: 'right' as const, cell: (row: Outcome) => count(row.count) },
    { head: words.succeeded, share: 16, align: 'right' as const, cell: (row: Outcome) => count(row.success) },
    { head: words.failed, share: 14, align: 'right' as const, cell: (row: Outcome) => count(row.error) },
  ];
}

function effectWords(effect: string, { words }: Formats): string {
  return Object.hasOwn(words.effects, effect) ? words.effects[effect as keyof typeof words.effects] : effect;
}

export function drawCoverage(flow: PageFlow, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  const most = Math.max(1, ...facts.coverage.map(({ policies }) => policies));
  flow.section(words.coverage, 240);
  flow.paragraph(words.coverageNote, type.small);
  flow.gap(8);
  flow.table<TacticCoverage>(
    [
      {
        head: words.tactic,
        share: 30,
        cell: ({ tactic }) => formats.tactic(tactic),
        mark: ({ policies }) => ({ colour: policies > 0 ? ink.automated : ink.muted, filled: policies > 0 }),
      },
      {
        head: words.policies,
        share: 30,
        cell: () => '',
        bar: ({ policies }) => ({ part: policies / most, colour: ink.automated }),
      },
      {
        head: '',
        share: 16,
        align: 'right',
        cell: ({ policies }) => (policies === 0 ? words.uncovered : formats.count(policies)),
        style: ({ policies }) => ({ ...type.number, ...(policies === 0 ? { colour: ink.muted } : {}) }),
      },
      { head: words.techniques, share: 13, align: 'right', cell: ({ techniques }) => formats.count(techniques) },
      { head: words.cases, share: 11, align: 'right', cell: ({ cases }) => formats.count(cases) },
    ],
    facts.coverage,
  );
}

type SourceRow = { name: string; events: number; bytes: number; previous_events: number | null };

export function drawVolume(flow: PageFlow, pen: Pen, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  const { volume } = facts;
  flow.section(words.volume, 260);
  if (volume.events === 0) {
    flow.paragraph(words.noEvents);
  } else {
    flow.heading(words.volumeByDay, DAYS + 40);
    stackedBars(
      pen,
      { x: flow.left, y: flow.take(DAYS), width: flow.width, height: DAYS },
      {
        series: [{ name: words.events, colour: ink.manual }],
        groups: volume.by_day.map(({ day, events }) => ({ label: formats.dayNumber(day), values: [events] })),
        format: formats.short,
        totals: false,
      },
    );
    flow.gap(16);
    const rest = { ...volume.other, name: words.otherSources(volume.other.sources), previous_events: null };
    const rows: SourceRow[] = [
      ...volume.sources.filter(({ events, previous_events: before }) => events > 0 || before > 0),
      ...(volume.other.events > 0 ? [rest] : []),
    ];
    flow.table<SourceRow>(
      [
        { head: words.source, share: 44, cell: ({ name }) => name },
        { head: words.events, share: 15, align: 'right', cell: ({ events }) => formats.count(events) },
        { head: words.share, share: 12, align: 'right', cell: ({ events }) => formats.percent(events, volume.events) },
        { head: words.bytes, share: 14, align: 'right', cell: ({ bytes }) => formats.size(bytes) },
        {
          head: words.change,
          share: 15,
          align: 'right',
          cell: ({ events, previous_events: before }) =>
            before === null || facts.partial ? '–' : (formats.change(events, before)?.text ?? '–'),
        },
      ],
      rows,
    );
  }
  if (volume.silent.length > 0) {
    flow.gap(14);
    flow.heading(words.silent, 40);
    const more = volume.silent_more ?? 0;
    for (const name of [...volume.silent, ...(more > 0 ? [words.andMore(more)] : [])]) {
      const y = flow.take(pen.text.heightOf(1, type.body));
      pen.text.line(name, type.body, { x: flow.left, y, width: flow.width });
    }
  }
}
