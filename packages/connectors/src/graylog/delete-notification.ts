import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { graylogAction } from './graylog-action.ts';
import { deleteNotification } from './notifications.ts';
import { getTitled, inputTitle, titledLists, titleInput } from './titled-lists.ts';

export const deleteNotificationAction = graylogAction({
  verb: 'delete_notification',
  friendly_name: 'Delete notification',
  description: 'Deletes a notification for good and takes it out of every event definition that uses it.',
  effect: 'destroys',
  idempotent: true,
  input: { notification_title: titleInput('Notification') },
  required: ['notification_title'],
  output: {
    notification_id: { type: ['string', 'null'] },
    changed: { type: 'boolean', description: 'False when it was gone already.' },
  },
  timeout_s: 60,

  async run(context) {
    const title = inputTitle(context, 'notification_title');
    try {
      const { id } = await getTitled(context, titledLists.notifications, title);
      await deleteNotification(context, id);
      return { notification_id: id, changed: true };
    } catch (error) {
      if (error instanceof VendorError && error.code === 'VENDOR_NOT_FOUND')
        return { notification_id: null, changed: false };
      throw error;
    }
  },
});
