import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectsOf, textOf } from '../answer-fields.ts';
import { graylogAction, nullableText } from './graylog-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';

export const getStreams = graylogAction({
  verb: 'get_streams',
  friendly_name: 'Get streams',
  description: 'Lists the streams these credentials may read.',
  effect: 'reads',
  idempotent: true,
  input: {},
  output: {
    streams: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: nullableText,
          description: nullableText,
          disabled: { type: 'boolean' },
          is_default: { type: 'boolean' },
        },
      },
    },
    total: { type: 'integer' },
  },

  async run(context) {
    const body = await graylogClient.object(context, { path: '/streams' });
    if (!Array.isArray(body.streams)) {
      throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without a list of streams.`);
    }
    const streams = objectsOf(body.streams).map((stream) => ({
      id: textOf(stream, 'id') ?? '',
      title: textOf(stream, 'title'),
      description: textOf(stream, 'description'),
      disabled: stream.disabled === true,
      is_default: stream.is_default === true,
    }));
    return { streams, total: streams.length };
  },
});
