import type { SlaSettings } from '@airdeck/contracts/cases/sla-settings';
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';

export type TimeKind = 'respond' | 'resolve';
/** What stands in the fields: `1.5 h` by severity and kind; empty is no target. */
export type CaseTimes = Readonly<Record<CaseSeverity, Readonly<Record<TimeKind, string>>>>;

const MINUTES_MAX = 90 * 24 * 60;
const unitMinutes: Readonly<Record<string, number>> = { '': 1, m: 1, min: 1, h: 60, d: 1440 };
const TIME = /^(\d{1,6}(?:[.,]\d{1,2})?)\s*(m|min|h|d)?$/i;

/** Minutes of `15 min`, `4 h`, `1.5 d` or a bare number of minutes; null for nothing, undefined for what is no time. */
export function minutesOf(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const [, number = '', unit = ''] = TIME.exec(trimmed) ?? [];
  const factor = unitMinutes[unit.toLowerCase()];
  if (number === '' || factor === undefined) return undefined;
  const minutes = Math.round(Number(number.replace(',', '.')) * factor);
  return minutes >= 1 && minutes <= MINUTES_MAX ? minutes : undefined;
}

/** The largest unit that says it in whole numbers. */
export function timeText(minutes: number | null): string {
  if (minutes === null) return '';
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : t('{minutes} min', { minutes });
}

export function timesOf({ targets }: Pick<SlaSettings, 'targets'>): CaseTimes {
  const of = (severity: CaseSeverity) => ({
    respond: timeText(targets[severity].respond_minutes),
    resolve: timeText(targets[severity].resolve_minutes),
  });
  return { low: of('low'), medium: of('medium'), high: of('high'), critical: of('critical') };
}

/** What was typed since `before`, on top of what is stored now. */
export function rebasedTimes(before: CaseTimes, typed: CaseTimes, now: CaseTimes): CaseTimes {
  const one = (severity: CaseSeverity, kind: TimeKind) =>
    typed[severity][kind] === before[severity][kind] ? now[severity][kind] : typed[severity][kind];
  const of = (severity: CaseSeverity) => ({ respond: one(severity, 'respond'), resolve: one(severity, 'resolve') });
  return { low: of('low'), medium: of('medium'), high: of('high'), critical: of('critical') };
}

export const timeLabels: Readonly<Record<TimeKind, string>> = {
  respond: t('Respond within'),
  resolve: t('Close within'),
};

export function timeWords(times: CaseTimes): FieldWords {
  const kinds = ['respond', 'resolve'] as const;
  return Object.fromEntries(
    caseSeverities
      .toReversed()
      .flatMap((severity) =>
        kinds.map((kind) => [`${severityLooks[severity].word}, ${timeLabels[kind]}`, times[severity][kind]]),
      ),
  );
}

export type TimeProblems = Partial<Record<`${CaseSeverity}/${TimeKind}`, string>>;

export function timeProblems(times: CaseTimes): TimeProblems {
  const problems: TimeProblems = {};
  for (const severity of caseSeverities) {
    const [respond, resolve] = [minutesOf(times[severity].respond), minutesOf(times[severity].resolve)];
    if (respond === undefined) problems[`${severity}/respond`] = t('Such as 15 min, 4 h or 2 d, 90 days at most.');
    if (resolve === undefined) problems[`${severity}/resolve`] = t('Such as 15 min, 4 h or 2 d, 90 days at most.');
    else if (respond && resolve && resolve < respond)
      problems[`${severity}/resolve`] = t('Not before it is due for a response.');
  }
  return problems;
}

/** As the call takes them; only for times without problems. */
export function targetsOf(times: CaseTimes): SlaSettings['targets'] {
  const of = (severity: CaseSeverity) => ({
    respond_minutes: minutesOf(times[severity].respond) ?? null,
    resolve_minutes: minutesOf(times[severity].resolve) ?? null,
  });
  return { low: of('low'), medium: of('medium'), high: of('high'), critical: of('critical') };
}
