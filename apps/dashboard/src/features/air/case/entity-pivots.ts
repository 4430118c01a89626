import type { CaseActivity, CaseDetail, CaseEntity } from '@airdeck/contracts/cases/schema';
import { writeTerm, writeValue } from '@airdeck/query-language/write-term';

/** The events that name somebody or something, as a query. */
export function eventsWith({ kind, value }: Pick<CaseEntity, 'kind' | 'value'>): string {
  if (kind === 'address') return [writeTerm('src_ip', value), writeTerm('dst_ip', value)].join(' OR ');
  return kind === 'hash' ? writeValue(value) : writeTerm(kind, value);
}

/** Of a case nobody's events opened, what led to it. */
const BEFORE_MS = 3_600_000;

/**
 * When the case was going on, as a range of the search: from its first event until it was closed. Where the plan does not
 * reach back as far, the search says so.
 */
export function timeOf({ events, opened_at, alert_status, time_closed }: CaseTimes): { start: string; end: string } {
  const first = [opened_at, ...events.map(({ time }) => time)].toSorted()[0] ?? opened_at;
  const start = events.length === 0 ? new Date(Date.parse(opened_at) - BEFORE_MS).toISOString() : first;
  return { start, end: alert_status === 'closed' ? (time_closed ?? 'now') : 'now' };
}

type CaseTimes = Pick<CaseDetail, 'opened_at' | 'alert_status' | 'time_closed'> & {
  events: readonly { time: string }[];
};

export type Finding = { runId: string | undefined; text: string };

const FINDINGS_MAX = 3;
/** What look-ups call their verdict, in the order in which it says most. */
const verdictNames = ['verdict', 'classification', 'malicious', 'reputation', 'risk', 'risk_score', 'score'] as const;

/**
 * What actions of the case's runs found out about an entity: the newest results that name it and hold a verdict. Nothing
 * is judged here; names and figures are the vendor's.
 */
export function reputationOf({ value }: Pick<CaseEntity, 'value'>, activity: readonly CaseActivity[]): Finding[] {
  const wanted = value.toLowerCase();
  return activity
    .filter(({ kind }) => kind === 'action_finished')
    .toReversed()
    .flatMap(({ text, data }) => {
      const { output, run_id: runId } = data;
      if (!isObject(output) || !names(output, wanted)) return [];
      const verdicts = verdictNames.flatMap((name) => {
        const given = output[name];
        return typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
          ? [`${name.replace('_', ' ')} ${String(given)}`]
          : [];
      });
      if (verdicts.length === 0) return [];
      const label = text.replace(/ succeeded$/, '');
      return [
        { runId: typeof runId === 'string' ? runId : undefined, text: `${label}: ${verdicts.slice(0, 2).join(', ')}` },
      ];
    })
    .slice(0, FINDINGS_MAX);
}

function names(output: Readonly<Record<string, unknown>>, wanted: string): boolean {
  return Object.values(output).some((given) => typeof given === 'string' && given.toLowerCase() === wanted);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
