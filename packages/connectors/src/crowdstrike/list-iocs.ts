import type { ActionContext } from '@airdeck/connector-kit/definition';
import { collectPages, nextOffset } from '@airdeck/connector-kit/paging';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { falconAction } from './falcon-action.ts';
import { callFalcon, FALCON, filterTerm, objectsIn } from './falcon-client.ts';
import { INDICATORS_COMBINED, indicatorFacts, indicatorOutput, inputIndicator, valueInput } from './indicators.ts';

const LIMIT = { fallback: 100, max: 2000 };
const PAGE_SIZE = 500;
const types = ['sha256', 'md5', 'domain', 'ipv4', 'ipv6'];

export const listIocs = falconAction({
  verb: 'list_iocs',
  friendly_name: 'List indicators',
  description: 'Lists the indicators of compromise that were put into Falcon, all or those of one value or type.',
  effect: 'reads',
  idempotent: true,
  input: {
    value: valueInput,
    type: { type: 'string', title: 'Type', enum: types },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  output: {
    indicators: { type: 'array', items: { type: 'object', properties: indicatorOutput } },
    is_cut: { type: 'boolean', description: 'There are more than were asked for.' },
  },
  timeout_s: 60,

  async run(context) {
    const maxItems = inputCount(context, 'limit', LIMIT);
    const limit = Math.min(maxItems, PAGE_SIZE);
    const filter = filterOf(context);
    const { items, isCut } = await collectPages({
      vendor: FALCON,
      first: 0,
      maxItems,
      fetch: async (offset) => {
        const answer = await callFalcon(context, { path: INDICATORS_COMBINED, query: { filter, limit, offset } });
        const items = objectsIn(answer);
        const total = answer.total === null ? {} : { total: answer.total };
        return { items, next: nextOffset({ offset, limit, count: items.length, ...total }) };
      },
    });
    return { indicators: items.map(indicatorFacts), is_cut: isCut };
  },
});

function filterOf(context: ActionContext): string | undefined {
  const type = optionalText(context, 'type', { max: 10 });
  if (context.input.value === undefined || context.input.value === '') {
    return type === undefined ? undefined : filterTerm('type', type);
  }
  const indicator = inputIndicator(context);
  return `${filterTerm('type', type ?? indicator.type)}+${filterTerm('value', indicator.value)}`;
}
