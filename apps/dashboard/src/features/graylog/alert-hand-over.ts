import { queryLimits } from '@airdeck/query-language/query-limits';
import type { GivenCase } from '../../components/new-case/new-case-dialog.tsx';
import { t } from '../../language/translate.ts';
import type { GraylogAlert } from '../../queries/graylog-answers.ts';
import { titleOf } from './alert-rows.ts';
import { severityOfPriority } from './priority.ts';

/** As the contract of cases takes fields: names of this form, at most so many, at most so long. */
const FIELD_NAME = /^[A-Za-z0-9_.@-]{1,100}$/;
const FIELDS_MAX = 18;
const VALUE_MAX = 500;
const NAME_MAX = 200;

/** Graylog's are 24 of these digits; what is anything else would not be one word of a search. */
const STREAM_ID = /^[0-9a-f]+$/;
/** Of more, nobody reads the search. */
const STREAMS_MAX = 100;

/** Where a message stands to its alert, when the alert does not say which time it looked at. */
const AROUND_MS = 60_000;

/** A case of an alert, to be looked over before it is opened. */
export function caseOf(alert: GraylogAlert): GivenCase {
  const values = Object.entries(alert.fields).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
    return text === '' || text.length > VALUE_MAX || !FIELD_NAME.test(name) ? [] : [[name, text] as const];
  });
  return {
    name: titleOf(alert).slice(0, NAME_MAX),
    description: [
      alert.message,
      alert.timestamp === null ? null : t('Raised by Graylog at {time}.', { time: alert.timestamp }),
      alert.query === null ? null : t('Search: {query}', { query: alert.query }),
      alert.techniques.length === 0 ? null : t('Techniques: {techniques}', { techniques: alert.techniques.join(', ') }),
    ]
      .filter((line) => line !== null)
      .join('\n'),
    severity: alert.priority === null ? 'medium' : severityOfPriority[alert.priority],
    values: { ...Object.fromEntries(values.slice(0, FIELDS_MAX)), graylog_alert_id: alert.id },
  };
}

/** What the search screen needs to show the messages behind an alert; undefined when nothing says which they are. */
export function messagesOf(alert: GraylogAlert, { query }: { query: string | null }) {
  const asked = alert.query ?? query;
  const window = windowOf(alert);
  if (asked === null || window === undefined) return undefined;
  return {
    query: keptTo(
      alert.stream_ids.filter((id) => STREAM_ID.test(id)),
      asked,
    ),
    timeRange: window,
  };
}

/** In Graylog's own language; without streams it is the whole search, as where the search could not take it with them. */
function keptTo(streamIds: readonly string[], query: string): string {
  if (streamIds.length === 0 || streamIds.length > STREAMS_MAX) return query;
  const streams = `streams:(${streamIds.join(' OR ')})`;
  const kept = query.trim() === '' ? streams : [`(${query})`, streams].join(' AND ');
  const isWithin = kept.length <= queryLimits.maxLength && termsOf(query) + streamIds.length <= queryLimits.maxClauses;
  return isWithin ? kept : query;
}

const OPERATOR = /^(?:AND|OR|NOT|&&|\|\|)$/;

/** Rather too many, such as each word of a phrase, than too few. */
function termsOf(query: string): number {
  return query.split(/[\s()]+/).filter((word) => word !== '' && !OPERATOR.test(word)).length;
}

function windowOf({ timerange_start: start, timerange_end: end, timestamp }: GraylogAlert) {
  // The end of a search does not belong to it, the last message of an alert does.
  if (start !== null && end !== null) return { start: iso(Date.parse(start)), end: iso(Date.parse(end) + 1) };
  if (timestamp === null) return undefined;
  const at = Date.parse(timestamp);
  return { start: iso(at - AROUND_MS), end: iso(at + AROUND_MS) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
