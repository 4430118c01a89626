import { collectPages } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textsOf } from '../answer-fields.ts';
import { inputCount, inputText, limitSchema, optionalText } from '../vendor-action.ts';
import { servicenowAction, tablePage } from './servicenow-client.ts';

const PAGE_SIZE = 200;
const TABLE = { max: 80, pattern: /^[a-z][a-z0-9_]*$/, like: 'such as incident' };
// A query can run a script on the instance; what comes from a finding must not.
const QUERY = { max: 2000, pattern: /^(?!.*javascript:)[^\p{C}]+$/iu, like: 'without "javascript:" and line ends' };
const FIELD = /^[a-z][a-z0-9_.]{0,199}$/;

export const queryTable = servicenowAction({
  verb: 'query_table',
  friendly_name: 'Query table',
  description: 'Records of any table the account may read.',
  input: {
    table: { type: 'string', title: 'Table', minLength: 1, maxLength: TABLE.max },
    query: {
      type: 'string',
      title: 'Query',
      description: 'An encoded query, such as active=true^priority=1. Scripts in it are refused.',
      maxLength: QUERY.max,
    },
    fields: { type: 'array', title: 'Fields', items: { type: 'string', maxLength: 200 }, maxItems: 50 },
    limit: limitSchema(100, 1000),
  },
  required: ['table'],
  output: {
    records: { type: 'array', items: { type: 'object' } },
    has_more: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,
  timeout_s: 60,

  async run(context) {
    const table = inputText(context, 'table', TABLE);
    const query = optionalText(context, 'query', QUERY) ?? '';
    const limit = inputCount(context, 'limit', { fallback: 100, max: 1000 });
    const fields = textsOf(context.input.fields);
    if (!fields.every((field) => FIELD.test(field))) {
      throw new VendorError('VENDOR_REJECTED', '"fields" must be names of fields, such as short_description.');
    }
    const pageSize = Math.min(limit, PAGE_SIZE);
    const { items, isCut } = await collectPages<JsonObject, number>({
      vendor: 'ServiceNow',
      first: 0,
      maxItems: limit,
      fetch: async (offset) => {
        const { records, next } = await tablePage(context, table, {
          query,
          limit: pageSize,
          offset,
          ...(fields.length === 0 ? {} : { fields }),
        });
        return { items: records, next };
      },
    });
    return { records: items, has_more: isCut };
  },
});
