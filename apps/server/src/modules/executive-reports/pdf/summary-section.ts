import type { PageFlow, Tile } from '../../../pdf/page-flow.ts';
import type { Pen } from '../../../pdf/pen.ts';
import { ink, type } from '../../../pdf/report-style.ts';
import { type ExecutiveFacts, ofAllRuns, type Recommendation } from '../executive-facts.ts';
import type { Formats } from './report-formats.ts';

type Comparison = { now: number | null; before: number | null; better?: 'more' | 'less' };

export function drawSummary(flow: PageFlow, pen: Pen, facts: ExecutiveFacts, formats: Formats): void {
  const { words } = formats;
  flow.section(words.summary);
  flow.paragraph(summaryText(facts, formats), { size: 11.5 });
  flow.gap(14);
  flow.tiles(tilesOf(facts, formats));
  flow.gap(12);
  const first = facts.recommendations.slice(0, 3);
  flow.heading(words.actFirst);
  if (first.length === 0) flow.paragraph(words.nothingToDo);
  for (const recommendation of first) drawRecommendation(flow, pen, recommendation, formats);
}

export function drawRecommendations(flow: PageFlow, pen: Pen, facts: ExecutiveFacts, formats: Formats): void {
  flow.section(formats.words.recommendations);
  if (facts.recommendations.length === 0) flow.paragraph(formats.words.nothingToDo);
  for (const recommendation of facts.recommendations) drawRecommendation(flow, pen, recommendation, formats);
}

const weightInk: Readonly<Record<Recommendation['weight'], string>> = {
  now: ink.bad,
  soon: '#b7791f',
  later: ink.manual,
};

/** Also what CSV says of it. */
export function recommendationText({ id, values }: Recommendation, formats: Formats): [title: string, text: string] {
  const names = values.tactic_names;
  const shown =
    typeof names === 'string' ? { ...values, tactic_names: names.split('|').map(formats.tactic).join(', ') } : values;
  return formats.words.recommend[id](shown);
}

function drawRecommendation(flow: PageFlow, pen: Pen, recommendation: Recommendation, formats: Formats): void {
  const [title, text] = recommendationText(recommendation, formats);
  const x = flow.left + 62;
  const width = flow.width - 62;
  const lines = pen.text.lines(text, type.body, width, 5);
  const height = 15 + pen.text.heightOf(lines.length, type.body) + 12;
  const y = flow.take(height);
  const colour = weightInk[recommendation.weight];
  pen.box({ x: flow.left, y: y + 1, width: 3, height: height - 13 }, colour);
  const label = { ...type.label, colour };
  pen.text.line(formats.words.weights[recommendation.weight], label, { x: flow.left + 10, y: y + 1, width: 48 });
  pen.text.line(title, type.strong, { x, y, width });
  pen.text.paragraph(text, type.body, { x, y: y + 15, width, max: 5 });
}

function summaryText(facts: ExecutiveFacts, formats: Formats): string {
  const { words } = formats;
  const { cases, answered } = facts.cases;
  if (cases === 0) return words.summaryEmpty;
  const opened = { cases: formats.count(cases), opened: cases, change: changeWords(facts, formats) };
  if (answered === 0) return words.summaryUnanswered(opened);
  const told = { ...opened, answered: formats.percent(answered, cases) };
  if (facts.automation.kept_from !== undefined) return words.summaryAnswered(told);
  return words.summaryText({ ...told, saved: formats.minutes(facts.automation.minutes_saved) });
}

/** A month that is not over is not compared as a whole. */
function changeWords(facts: ExecutiveFacts, { words, monthBefore: month }: Formats): string {
  if (facts.partial) return '';
  const more = facts.cases.cases - facts.cases_before.cases;
  if (more === 0) return words.asMany(month);
  return more > 0 ? words.more(more, month) : words.fewer(-more, month);
}

function tilesOf(facts: ExecutiveFacts, formats: Formats): Tile[] {
  const { words } = formats;
  const { cases, cases_before: before, automation, automation_before: automationBefore } = facts;
  const severe = ({ by_severity: by }: ExecutiveFacts['cases']) => by.critical + by.high;
  const tile = (label: string, value: string, comparison: Comparison): Tile => ({
    label,
    value,
    ...(facts.partial ? {} : compared(comparison, formats)),
  });
  const answered = (of: ExecutiveFacts['cases']) => (of.cases === 0 ? null : of.answered / of.cases);
  const saved = ofAllRuns(automation, 'minutes_saved');
  return [
    tile(words.casesOpened, formats.count(cases.cases), { now: cases.cases, before: before.cases }),
    tile(words.severe, formats.count(severe(cases)), { now: severe(cases), before: severe(before), better: 'less' }),
    tile(words.casesClosed, formats.count(cases.closed), { now: cases.closed, before: before.closed }),
    tile(words.answeredShare, formats.percent(cases.answered, cases.cases), {
      now: answered(cases),
      before: answered(before),
      better: 'more',
    }),
    tile(words.manualMttd, formats.duration(cases.means.manual_mttd), {
      now: cases.means.manual_mttd,
      before: before.means.manual_mttd,
      better: 'less',
    }),
    tile(words.manualMttr, formats.duration(cases.means.manual_mttr), {
      now: cases.means.manual_mttr,
      before: before.means.manual_mttr,
      better: 'less',
    }),
    tile(words.timeSaved, saved === null ? '–' : formats.minutes(saved), {
      now: saved,
      before: ofAllRuns(automationBefore, 'minutes_saved'),
      better: 'more',
    }),
    tile(words.eventsCollected, formats.short(facts.volume.events), {
      now: facts.volume.events,
      before: facts.volume_before.events,
    }),
  ];
}

function compared({ now, before, better }: Comparison, formats: Formats): Partial<Tile> {
  const { words, monthBefore: month } = formats;
  if (now === null || before === null) return {};
  const change = formats.change(now, before);
  if (change === undefined) return now === 0 ? { note: words.unchanged(month) } : { note: words.noneBefore(month) };
  if (change.by === 0) return { note: words.unchanged(month) };
  const up = change.by > 0;
  const tone = better === undefined ? undefined : up === (better === 'more') ? 'good' : 'bad';
  return { note: words.versus(change.text, month), up, tone };
}
