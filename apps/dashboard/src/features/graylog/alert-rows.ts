import { t } from '../../language/translate.ts';
import { plainLetters } from '../../lib/plain-letters.ts';
import type { GraylogAlert } from '../../queries/graylog-answers.ts';

/** What an alert is called: by its event definition, or by what it says where that is gone. */
export function titleOf({ title, message }: Pick<GraylogAlert, 'title' | 'message'>): string {
  return title ?? message ?? t('Alert without a title');
}

/** Each alert once: pages overlap where they meet. */
export function onceEach(alerts: readonly GraylogAlert[]): GraylogAlert[] {
  const seen = new Set<string>();
  return alerts.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Those in which every word stands somewhere: title, message, source, key, fields, techniques. */
export function matchingAlerts(alerts: readonly GraylogAlert[], q: string | undefined): readonly GraylogAlert[] {
  const words = plainLetters(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return alerts;
  return alerts.filter((alert) => {
    const { title, message, source, key, fields, techniques, id } = alert;
    const text = plainLetters([id, title, message, source, key, ...techniques, JSON.stringify(fields)].join('\n'));
    return words.every((word) => text.includes(word));
  });
}
