import { objectsOf } from '../answer-fields.ts';
import { notificationIds, readDefinition, writeNotifications } from './event-definitions.ts';
import { graylogAction } from './graylog-action.ts';
import { getTitled, inputTitle, titledLists, titleInput } from './titled-lists.ts';

export const removeNotification = graylogAction({
  verb: 'remove_notification_from_event_definition',
  friendly_name: 'Remove notification from event definition',
  description: 'Takes a notification out of an event definition. The notification itself stays.',
  effect: 'changes',
  idempotent: true,
  input: {
    event_definition_title: titleInput('Event definition'),
    notification_title: titleInput('Notification'),
  },
  required: ['event_definition_title', 'notification_title'],
  output: {
    event_definition_id: { type: 'string' },
    notification_id: { type: 'string' },
    changed: { type: 'boolean', description: 'False when it was not in there.' },
  },
  timeout_s: 60,

  // Graylog has no call for it: the whole definition is read, changed and written back.
  async run(context) {
    const notificationTitle = inputTitle(context, 'notification_title');
    const definitionTitle = inputTitle(context, 'event_definition_title');
    const { id } = await getTitled(context, titledLists.notifications, notificationTitle);
    const definition = await readDefinition(context, definitionTitle);
    const facts = { event_definition_id: definition.id, notification_id: id };
    if (!notificationIds(definition).includes(id)) return { ...facts, changed: false };
    const notifications = objectsOf(definition.notifications).filter((entry) => entry.notification_id !== id);
    await writeNotifications(context, { definition, notifications });
    return { ...facts, changed: true };
  },
});
