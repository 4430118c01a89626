import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { inputText } from '../vendor-action.ts';
import { falconAction } from './falcon-action.ts';
import { callFalcon } from './falcon-client.ts';
import { INDICATORS } from './indicators.ts';

export const deleteIoc = falconAction({
  verb: 'delete_ioc',
  friendly_name: 'Delete indicator',
  description: 'Takes an indicator of compromise out of Falcon for good.',
  effect: 'destroys',
  idempotent: true,
  input: {
    indicator_id: {
      type: 'string',
      title: 'Indicator',
      description: 'Its id, as List indicators gives it.',
      minLength: 1,
      maxLength: 100,
    },
    comment: { type: 'string', title: 'Reason', maxLength: 500 },
  },
  required: ['indicator_id'],
  output: {
    indicator_id: { type: 'string' },
    changed: { type: 'boolean', description: 'False when it was gone already.' },
  },

  // By id only: the same call with a filter would delete everything that fits it.
  async run(context) {
    const id = inputText(context, 'indicator_id', { max: 100, pattern: /^[0-9A-Za-z_-]+$/, like: 'an id of Falcon' });
    const { comment } = context.input;
    try {
      await callFalcon(context, {
        method: 'DELETE',
        path: INDICATORS,
        query: { ids: id, comment: typeof comment === 'string' && comment !== '' ? comment.slice(0, 500) : undefined },
        idempotent: true,
      });
      return { indicator_id: id, changed: true };
    } catch (error) {
      if (error instanceof VendorError && error.code === 'VENDOR_NOT_FOUND')
        return { indicator_id: id, changed: false };
      throw error;
    }
  },
});
