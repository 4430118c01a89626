import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';

/** Okta's names for what our policies call by one word; other event types keep their own, in snake case. */
const actionByEventType: ReadonlyMap<string, string> = new Map([
  ['user.session.start', 'login'],
  ['user.authentication.sso', 'login'],
  ['user.session.end', 'logout'],
  ['user.account.lock', 'lock_account'],
  ['user.account.unlock', 'unlock_account'],
  ['user.account.update_password', 'change_password'],
  ['user.account.reset_password', 'reset_password'],
  ['user.lifecycle.create', 'create_user'],
  ['user.lifecycle.deactivate', 'disable_user'],
  ['user.mfa.factor.deactivate', 'disable_mfa'],
]);

/** Okta System Log (`LogEvent` of its management API). One event type, as in Okta's own interface: `system_log`. */
export const oktaFormat: ObjectFormat = {
  name: 'okta',
  parse(object, reception) {
    const { eventType, published, actor, outcome, client } = object;
    if (typeof eventType !== 'string' || typeof published !== 'string' || !isJsonObject(actor)) return undefined;
    const event = blankEvent(reception);
    setTime(event, readTime(published), reception);
    event.integration = 'okta';
    event.event_type = 'system_log';
    event.severity = severityOf(object.severity);
    event.message = textOf(object.displayMessage);
    event.user = textOf(actor.alternateId) || textOf(actor.displayName);
    event.src_ip = isJsonObject(client) ? addressOf(client.ipAddress) : '';
    event.host = targetApp(object);
    event.action = actionByEventType.get(eventType) ?? snakeCase(eventType);
    event.outcome = isJsonObject(outcome) ? outcomeOf(outcome.result) : '';
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

/** The application signed in to; Okta events happen on no host. */
function targetApp({ target }: JsonObject): string {
  if (!Array.isArray(target)) return '';
  const app: unknown = target.find((item: unknown) => isJsonObject(item) && item.type === 'AppInstance');
  return isJsonObject(app) ? textOf(app.displayName) : '';
}
