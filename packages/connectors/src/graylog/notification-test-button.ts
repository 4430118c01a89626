/** What Graylog sends when somebody presses the test button of a notification: no alert, and always under the same names. */
import { objectOf } from '@airdeck/contracts/json-object';

/** What stands for the definition; the last one only in the event. */
const definitionIds: ReadonlySet<unknown> = new Set(['<unknown>', 'NotificationTestId', 'EventDefinitionTestId']);
const DEFINITION_TYPE = 'notification-test-v1';
const EVENT_ID = 'TEST_NOTIFICATION_ID';

type Notification = {
  readonly event_definition_id?: unknown;
  readonly event_definition_type?: unknown;
  readonly event?: unknown;
};

/** By any one of its names: which of them come differs between versions. */
export function isTestNotification({
  event_definition_id: id,
  event_definition_type: type,
  event,
}: Notification): boolean {
  const { id: eventId, event_definition_type: eventType } = objectOf(event);
  return definitionIds.has(id) || type === DEFINITION_TYPE || eventType === DEFINITION_TYPE || eventId === EVENT_ID;
}
