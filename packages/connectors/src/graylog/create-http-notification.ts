import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { inputText, optionalText } from '../vendor-action.ts';
import { graylogAction } from './graylog-action.ts';
import { createHttpNotification } from './notifications.ts';
import { inputTitle } from './titled-lists.ts';

export const createHttpNotificationAction = graylogAction({
  verb: 'create_http_notification',
  friendly_name: 'Create HTTP notification',
  description:
    'Creates a notification that sends alerts to an address. It must be on the allow list of the Graylog server.',
  effect: 'changes',
  idempotent: true,
  input: {
    title: { type: 'string', title: 'Title', minLength: 1, maxLength: 500 },
    description: { type: 'string', title: 'Description', maxLength: 1000 },
    url: {
      type: 'string',
      title: 'Address',
      description: 'Without credentials in it.',
      pattern: '^https?://',
      maxLength: 2000,
    },
  },
  required: ['title', 'url'],
  output: {
    notification_id: { type: 'string' },
    title: { type: 'string' },
    changed: { type: 'boolean', description: 'False when it was there already.' },
  },
  timeout_s: 60,

  async run(context) {
    const title = inputTitle(context, 'title');
    const url = inputText(context, 'url', { max: 2000, pattern: /^https?:\/\//, like: 'an http or https address' });
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || parsed.username !== '' || parsed.password !== '') {
      throw new VendorError('VENDOR_REJECTED', '"url" must be an address without credentials.');
    }
    const description = optionalText(context, 'description', { max: 1000 }) ?? '';
    const { id, changed } = await createHttpNotification(context, { title, description, url });
    return { notification_id: id, title, changed };
  },
});
