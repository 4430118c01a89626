/** Lays a case out: all of it that is read on paper in, the bytes of a PDF out. Runs in a thread of its own, and in tests. */
import type { Case, CaseExport } from '@airdeck/contracts/cases/schema';
import { type Column, createPageFlow, type PageFlow } from '../../pdf/page-flow.ts';
import { createPdfPages, type PdfFile } from '../../pdf/pdf-pages.ts';
import { DEFAULT_ACCENT, severityInk, type } from '../../pdf/report-style.ts';
import { type CaseDocumentOrder, EVENTS_ON_PAPER } from './case-document-order.ts';
import { caseDocumentWords } from './case-document-words.ts';

/**
 * As much of a text as is laid out at once, in characters that may be two units each; the rest goes into further rows, so
 * that nothing of what people wrote is cut.
 */
const parts = /.{1,1000}(?:\s+|$)|.{1,1000}/gsu;
/** As many lines as a row has, which a page must hold: scripts differ in how much a line takes. */
const LINES_MAX = 40;

type Formats = ReturnType<typeof formatsOf>;

export async function layOutCase(order: CaseDocumentOrder): Promise<PdfFile> {
  const { whole, product, tenant, locale, timeZone, compress } = order;
  const of = whole.case;
  const formats = formatsOf(order);
  const { words } = formats;
  const { doc, pen, finish } = createPdfPages({
    title: `${of.reference} – ${of.alert_name}`,
    author: product,
    ...{ locale, madeAt: whole.exported_at, compress },
  });
  const flow = createPageFlow(doc, pen, { accent: DEFAULT_ACCENT });
  // The zone once: all times are of it.
  flow.paragraph(
    `${words.caseOf(tenant)} · ${words.made(formats.moment(whole.exported_at))} · ${timeZone}`,
    type.label,
  );
  flow.gap(6);
  flow.paragraph(`${of.reference} · ${of.alert_name}`, type.title);
  flow.gap(6);
  for (const part of of.alert_description.split('\n').flatMap(partsOf)) flow.paragraph(part);
  drawFacts(flow, whole, formats);
  drawEntities(flow, whole, formats);
  drawResponses(flow, of, formats);
  drawStory(flow, whole, formats);
  drawEvents(flow, whole, formats);
  drawRelated(flow, whole, formats);
  return await finish({ left: `${tenant} · ${of.reference}`, page: words.page, from: 0 });
}

function formatsOf({ locale, timeZone }: Pick<CaseDocumentOrder, 'locale' | 'timeZone'>) {
  const moment = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' });
  const count = new Intl.NumberFormat(locale);
  return {
    words: caseDocumentWords[locale],
    moment: (time: string) => moment.format(Date.parse(time)),
    count: (value: number) => count.format(value),
  };
}

type Fact = readonly [label: string, value: string];

function drawFacts(flow: PageFlow, { case: of, policy_origin: origin }: CaseExport, formats: Formats): void {
  const { words, moment, count } = formats;
  const done = (at: string | null, by: string | null) =>
    at === null ? '' : words.by(moment(at), by ?? words.automation);
  const when = (at: string | null) => (at === null ? '' : moment(at));
  const facts: Fact[] = [
    [words.status, words.statuses[of.alert_status]],
    [words.severity, words.severities[of.alert_severity]],
    ...Object.entries(of.meta_data_fields).map(([name, value]): Fact => [name, valueText(value)]),
    [words.assignee, of.assignee ?? words.nobody],
    [words.policy, of.alert_type === 'manual' ? words.byHand : of.alert_name],
    [words.author, origin?.author ?? ''],
    [words.licence, origin?.license ?? ''],
    [words.sources, of.log_sources.join(', ')],
    [words.tags, of.tags.join(', ')],
    [words.eventCount, count(of.event_count)],
    [words.firstEvent, moment(of.opened_at)],
    [words.opened, moment(of.time_opened)],
    [words.acknowledged, done(of.time_acknowledged, of.acknowledged_by_username)],
    [words.closed, done(of.time_closed, of.closed_by_username)],
    [words.reason, of.close_reason === null ? '' : words.closeReasons[of.close_reason]],
    [words.respondBy, when(of.sla.respond_by)],
    [words.resolveBy, when(of.sla.resolve_by)],
    [words.late, of.sla.breached ? words.missed : ''],
    [words.waiting, when(of.sla.waiting_since)],
  ];
  flow.section(words.facts);
  flow.table<Fact>(
    [
      { head: words.what, share: 28, lines: 2, cell: ([label]) => label, style: () => type.label },
      { head: words.value, share: 72, lines: LINES_MAX, goesOn: true, cell: ([, value]) => value },
    ],
    facts.filter(([, value]) => value !== '').flatMap(([label, value]) => inRows(value, (part) => [label, part])),
  );
}

function drawEntities(flow: PageFlow, { entities }: CaseExport, { words, count }: Formats): void {
  if (entities.length === 0) return;
  flow.section(words.entities);
  flow.table<CaseExport['entities'][number]>(
    [
      { head: words.kind, share: 18, cell: ({ kind }) => words.entityKinds[kind] },
      { head: words.value, share: 66, lines: 4, cell: ({ value }) => value },
      { head: words.eventCount, share: 16, align: 'right', cell: ({ events }) => count(events) },
    ],
    entities,
  );
}

function drawResponses(flow: PageFlow, { alert_responses: responses }: Case, { words }: Formats): void {
  if (responses.length === 0) return;
  flow.section(words.responses);
  flow.table<Case['alert_responses'][number]>(
    [
      { head: words.what, share: 76, lines: 2, cell: ({ response_name: name }) => name },
      { head: words.status, share: 24, cell: ({ status }) => words.runStatuses[status] },
    ],
    responses,
  );
}

function drawStory(
  flow: PageFlow,
  { activity, activity_left_out: older }: CaseExport,
  { words, moment, count }: Formats,
): void {
  if (activity.length === 0) return;
  flow.section(words.story);
  if (older > 0) {
    flow.paragraph(words.olderLeftOut(count(older)), type.small);
    flow.gap(8);
  }
  type Row = { at: string; who: string; text: string };
  const rows = activity.flatMap(({ at, username, text }) => {
    const who = username === 'system' ? words.automation : username;
    return inRows(
      text,
      (part, index): Row => (index === 0 ? { at: moment(at), who, text: part } : { at: '', who: '', text: part }),
    );
  });
  flow.table<Row>(
    [
      { head: words.when, share: 22, lines: 2, cell: ({ at }) => at },
      { head: words.who, share: 22, lines: 3, cell: ({ who }) => who },
      { head: words.what, share: 56, lines: LINES_MAX, goesOn: true, cell: ({ text }) => text },
    ],
    rows,
  );
}

function drawEvents(flow: PageFlow, { case: of, events }: CaseExport, { words, moment, count }: Formats): void {
  flow.section(words.events);
  const shown = events.slice(0, EVENTS_ON_PAPER);
  if (shown.length === 0) {
    flow.paragraph(words.noEvents);
    return;
  }
  if (shown.length < of.event_count) {
    flow.paragraph(words.leftOut(count(shown.length), count(of.event_count)), type.small);
    flow.gap(8);
  }
  const columns: Column<CaseExport['events'][number]>[] = [
    { head: words.when, share: 22, lines: 2, cell: ({ time }) => moment(time) },
    {
      head: words.source,
      share: 20,
      lines: 3,
      cell: ({ integration, event_type: kind, host }) =>
        [integration, kind, host].filter((part) => part !== '').join(' · '),
    },
    { head: words.message, share: 58, lines: 6, cell: ({ message, raw }) => (message === '' ? raw : message) },
  ];
  flow.table(columns, shown);
}

function drawRelated(flow: PageFlow, { related_cases: related }: CaseExport, { words, moment }: Formats): void {
  if (related.length === 0) return;
  flow.section(words.related);
  flow.table<Case>(
    [
      {
        head: words.case,
        share: 20,
        cell: ({ reference }) => reference,
        mark: ({ alert_severity: severity }) => ({ colour: severityInk[severity], filled: true }),
      },
      { head: words.what, share: 40, lines: 2, cell: ({ alert_name: name }) => name },
      { head: words.status, share: 16, cell: ({ alert_status: status }) => words.statuses[status] },
      { head: words.opened, share: 24, lines: 2, cell: ({ time_opened: at }) => moment(at) },
    ],
    related,
  );
}

function inRows<Row>(text: string, row: (part: string, index: number) => Row): Row[] {
  return partsOf(text).map(row);
}

/** Parted between words, and within one only where that alone is too long; never within a character. */
function partsOf(text: string): string[] {
  return text.match(parts) ?? [];
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
