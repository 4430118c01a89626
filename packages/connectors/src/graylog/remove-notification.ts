import { detachFrom } from './alert-notification.ts';
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
    const notification = await getTitled(context, titledLists.notifications, notificationTitle);
    const definition = await getTitled(context, titledLists.definitions, definitionTitle);
    const { changed } = await detachFrom(context, definition.id, [notification.id]);
    return { event_definition_id: definition.id, notification_id: notification.id, changed };
  },
});
