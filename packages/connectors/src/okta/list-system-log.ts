import { collectPages } from '@airdeck/connector-kit/paging';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { inputTime, reversedTimes } from '../time-input.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { oktaAction } from './okta-action.ts';
import { fetchLinkedPage, OKTA } from './okta-client.ts';

const LIMIT = { fallback: 100, max: 1000 };
const DAY_MS = 86_400_000;

export const listSystemLog = oktaAction({
  verb: 'list_system_log',
  friendly_name: 'List System Log',
  description: 'Lists entries of the System Log, newest first.',
  effect: 'reads',
  idempotent: true,
  inputProblems: reversedTimes,
  input: {
    start_time: { type: 'string', title: 'From', description: 'Default: a day before the end.', maxLength: 40 },
    end_time: { type: 'string', title: 'Until', description: 'Default: now.', maxLength: 40 },
    filter: {
      type: 'string',
      title: 'Filter',
      description: 'A filter expression of Okta, such as eventType eq "user.session.start".',
      maxLength: 2000,
    },
    words: {
      type: 'string',
      title: 'Words',
      description: 'All of them must occur somewhere in the entry.',
      maxLength: 400,
    },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  output: {
    events: { type: 'array', items: { type: 'object' }, description: 'Entries as Okta has them.' },
    is_cut: { type: 'boolean', description: 'There are more than were asked for.' },
  },
  timeout_s: 60,

  async run(context) {
    const until = inputTime(context, 'end_time') ?? context.now();
    const since = inputTime(context, 'start_time') ?? new Date(until.getTime() - DAY_MS);
    const maxItems = inputCount(context, 'limit', LIMIT);
    const first: VendorCall = {
      path: '/api/v1/logs',
      query: {
        since: since.toISOString(),
        until: until.toISOString(),
        filter: optionalText(context, 'filter', { max: 2000 }),
        q: optionalText(context, 'words', { max: 400 }),
        limit: maxItems,
        sortOrder: 'DESCENDING',
      },
    };
    const { items, isCut } = await collectPages({
      vendor: OKTA,
      first,
      maxItems,
      fetch: (call) => fetchLinkedPage(context, call),
    });
    return { events: items, is_cut: isCut };
  },
});
