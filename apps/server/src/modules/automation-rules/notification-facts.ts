/** What a notification in Graylog should be, and what is said of how it stands. */
import type { FoundNotification } from '@airdeck/connectors/graylog/alert-notification';
import type { NotificationState } from '@airdeck/contracts/automation-rules/schema';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { AlertSource } from './alert-source.ts';
import type { RuleChange, RuleRow } from './automation-rules-repository.ts';
import type { CallResult } from './graylog-calls.ts';

export type Standing = { state: Exclude<NotificationState, 'working'>; reason: string | null; title?: string };

/** The same for ever: it is how a notification is found again. */
export function notificationTitle({ id }: Pick<RuleRow, 'id'>): string {
  return `AIRdeck automation ${id}`;
}

export function notificationOf(rule: RuleRow, source: AlertSource | undefined) {
  return {
    title: notificationTitle(rule),
    description: `Brings alerts to the automation rule “${rule.name}”. Made and kept by it; change it there.`,
    url: source?.url ?? '',
    ...(source === undefined ? {} : { token: source.token }),
  };
}

export function failureOf({ code, message }: Extract<CallResult<unknown>, { ok: false }>): Standing {
  if (code === 'VENDOR_CONFLICT') return { state: 'changed', reason: outcomeTexts.NOTIFICATION_CONFLICT };
  if (code === 'VENDOR_NOT_FOUND') return { state: 'missing', reason: outcomeTexts.DEFINITION_UNKNOWN };
  return { state: 'failed', reason: message };
}

export function standingOf(found: FoundNotification, source: AlertSource | undefined): Standing {
  const title = found.definitionTitle === undefined ? {} : { title: found.definitionTitle };
  const say = (state: Standing['state'], reason: string | null): Standing => ({ state, reason, ...title });
  if (found.definitionTitle === undefined) return say('missing', outcomeTexts.DEFINITION_DELETED);
  if (found.notification === 'missing') return say('missing', outcomeTexts.NOTIFICATION_DELETED);
  if (source === undefined) return say('changed', outcomeTexts.NOTIFICATION_SOURCE_GONE);
  if (found.notification === 'different') return say('changed', outcomeTexts.NOTIFICATION_CHANGED);
  if (!found.attached) return say('missing', outcomeTexts.NOTIFICATION_UNUSED);
  return say('attached', null);
}

export function changeOf({ state, reason, title }: Standing, at: Date): RuleChange {
  return {
    notification_state: state,
    notification_reason: reason,
    checked_at: at,
    ...(title === undefined ? {} : { definition_title: title }),
  };
}
