import { objectsOf } from '../answer-fields.ts';
import { notificationIds, readDefinition, writeNotifications } from './event-definitions.ts';
import { graylogAction } from './graylog-action.ts';
import { getTitled, inputTitle, titledLists, titleInput } from './titled-lists.ts';

export const attachNotification = graylogAction({
  verb: 'attach_notification',
  friendly_name: 'Attach notification to event definition',
  description: 'Makes an event definition use a notification whenever it raises an alert.',
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
    changed: { type: 'boolean', description: 'False when it was in there already.' },
  },
  timeout_s: 60,

  async run(context) {
    const notificationTitle = inputTitle(context, 'notification_title');
    const definitionTitle = inputTitle(context, 'event_definition_title');
    const { id } = await getTitled(context, titledLists.notifications, notificationTitle);
    const definition = await readDefinition(context, definitionTitle);
    const facts = { event_definition_id: definition.id, notification_id: id };
    if (notificationIds(definition).includes(id)) return { ...facts, changed: false };
    const added = { notification_id: id, notification_parameters: null };
    const notifications = [...objectsOf(definition.notifications), added];
    await writeNotifications(context, { definition, notifications });
    return { ...facts, changed: true };
  },
});
