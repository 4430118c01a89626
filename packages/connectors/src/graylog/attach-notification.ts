import { attachTo } from './alert-notification.ts';
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
    const notification = await getTitled(context, titledLists.notifications, notificationTitle);
    const definition = await getTitled(context, titledLists.definitions, definitionTitle);
    const { changed } = await attachTo(context, definition.id, notification.id);
    return { event_definition_id: definition.id, notification_id: notification.id, changed };
  },
});
