import { caseSeverities } from '@airdeck/contracts/statuses';
import { groupedBars, legend, stackedBars } from '../../../pdf/charts.ts';
import type { PageFlow } from '../../../pdf/page-flow.ts';
import type { Pen } from '../../../pdf/pen.ts';
import { ink, severityInk, type } from '../../../pdf/report-style.ts';
import type { CaseMeans } from '../../cases/case-means.ts';
import type { ExecutiveFacts, NotableCase } from '../executive-facts.ts';
import type { Formats } from './report-formats.ts';

const CHART = 150;
const TIMES = 132;
const BETWEEN = 24;

export function drawCases(flow: PageFlow, pen: Pen, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  flow.section(words.cases, 42 + 19 + 18 + CHART);
  if (facts.cases.cases === 0) {
    flow.paragraph(words.noCases);
    return;
  }
  // Worst at the foot, where heights can be compared.
  const severities = caseSeverities.toReversed();
  const series = severities.map((severity) => ({ name: words.severities[severity], colour: severityInk[severity] }));
  const label = ({ start, end }: ExecutiveFacts['weeks'][number]) =>
    start === end ? formats.day(start) : `${formats.day(start)} – ${formats.day(end)}`;
  flow.heading(words.casesByWeek, 19 + 18 + CHART);
  legend(pen, series, { x: flow.left, y: flow.take(18) });
  stackedBars(
    pen,
    { x: flow.left, y: flow.take(CHART), width: flow.width, height: CHART },
    {
      series,
      groups: facts.weeks.map((week) => ({
        label: label(week),
        values: severities.map((each) => week.by_severity[each]),
      })),
      format: formats.count,
      totals: true,
    },
  );
  flow.gap(22);
  drawTimes(flow, pen, facts, formats);
  const { cases } = facts;
  flow.gap(8);
  flow.paragraph(
    cases.with_targets === 0
      ? words.noTargets
      : words.targets({
          with_targets: cases.with_targets,
          late_responses: cases.late_responses,
          late_resolutions: cases.late_resolutions,
        }),
  );
}

type Times = { title: string; note: string; manual: keyof CaseMeans; automated: keyof CaseMeans };

/** Detecting and responding side by side, by week. */
function drawTimes(flow: PageFlow, pen: Pen, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  const width = (flow.width - BETWEEN) / 2;
  const charts: Times[] = [
    { title: words.mttdByWeek, note: words.mttdNote, manual: 'manual_mttd', automated: 'automated_mttd' },
    { title: words.mttrByWeek, note: words.mttrNote, manual: 'manual_mttr', automated: 'automated_mttr' },
  ];
  const series = [
    { name: words.manual, colour: ink.manual },
    { name: words.automated, colour: ink.automated },
  ];
  const y = flow.take(18 + 16 + TIMES + 34);
  charts.forEach(({ title, note, manual, automated }, index) => {
    const x = flow.left + (width + BETWEEN) * index;
    pen.text.line(title, { ...type.heading, size: 10 }, { x, y, width });
    legend(pen, series, { x, y: y + 17 });
    const groups = facts.weeks.map(({ start, means }) => ({
      label: formats.day(start),
      values: [means[manual], means[automated]],
    }));
    groupedBars(
      pen,
      { x, y: y + 34, width, height: TIMES },
      {
        ...{ series, groups, format: formats.duration },
        empty: words.noMeans,
      },
    );
    pen.text.paragraph(note, { ...type.small, size: 7.5 }, { x, y: y + 42 + TIMES, width, max: 2 });
  });
}

export function drawNotableCases(flow: PageFlow, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  if (facts.notable.length === 0) return;
  flow.section(words.notable);
  flow.paragraph(words.notableNote, type.small);
  flow.gap(8);
  const state = ({ status, close_reason: reason, answered }: NotableCase) =>
    [
      words.statuses[status] + (reason === null ? '' : `: ${words.closeReasons[reason]}`),
      ...(answered ? [words.automaticShort] : []),
    ].join(', ');
  flow.table<NotableCase>(
    [
      {
        head: words.reference,
        share: 17,
        cell: ({ reference }) => reference,
        mark: ({ severity }) => ({ colour: severityInk[severity], filled: true }),
      },
      {
        head: words.what,
        share: 37,
        lines: 2,
        cell: ({ name, severity }) => `${words.severities[severity]} · ${name}`,
      },
      { head: words.opened, share: 17, cell: ({ opened }) => formats.moment(opened) },
      { head: words.events, share: 9, align: 'right', cell: ({ events }) => formats.short(events) },
      { head: words.state, share: 23, lines: 3, cell: state },
    ],
    facts.notable,
  );
}
