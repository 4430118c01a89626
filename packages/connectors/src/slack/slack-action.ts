import { actionFactory } from '../vendor-action.ts';

export const slackOwner = { definition_id: 'slack', vendor: 'Slack', product: 'Slack' } as const;

export const slackAction = actionFactory(slackOwner);

/** An id, or a name with or without `#`. */
export const channelRule = {
  max: 82,
  pattern: /^[#@]?[\p{L}\p{N}._-]{1,80}$/u,
  like: 'such as C0123456789 or #alerts',
};
export const channelSchema = {
  type: 'string',
  title: 'Channel',
  description: 'Its id, or its name with #. Private channels by id, after inviting the app.',
  minLength: 1,
  maxLength: channelRule.max,
};

export const userRule = { max: 20, pattern: /^[UW][A-Z0-9]{2,19}$/, like: 'such as U0123456789' };
export const timestampRule = { max: 30, pattern: /^\d{1,12}\.\d{1,9}$/, like: 'such as 1503435956.000247' };
