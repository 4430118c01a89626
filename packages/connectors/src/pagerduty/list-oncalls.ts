import { collectPages, nextOffset } from '@airdeck/connector-kit/paging';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, objectsOf, textAt, textOf } from '../answer-fields.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { pagerdutyAction, pagerdutyClient } from './pagerduty-client.ts';

const PAGE_SIZE = 100;
const ID = { max: 30, pattern: /^[A-Z0-9]{5,30}$/, like: 'such as PANZZEQ' };

export const listOncalls = pagerdutyAction({
  verb: 'list_oncalls',
  friendly_name: 'List who is on call',
  description: 'Who is on call now, by escalation policy and level.',
  input: {
    escalation_policy_id: {
      type: 'string',
      title: 'Escalation policy',
      description: 'Its id; all when left empty.',
      maxLength: ID.max,
    },
    schedule_id: { type: 'string', title: 'Schedule', description: 'Its id; all when left empty.', maxLength: ID.max },
    limit: limitSchema(100, 1000),
  },
  output: {
    oncalls: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          user: { type: ['string', 'null'] },
          user_id: { type: ['string', 'null'] },
          escalation_policy: { type: ['string', 'null'] },
          level: { type: ['number', 'null'] },
          schedule: { type: ['string', 'null'] },
          start: { type: ['string', 'null'] },
          end: { type: ['string', 'null'] },
        },
      },
    },
    has_more: { type: 'boolean' },
  },
  effect: 'reads',
  idempotent: true,

  async run(context) {
    const policy = optionalText(context, 'escalation_policy_id', ID);
    const schedule = optionalText(context, 'schedule_id', ID);
    const limit = inputCount(context, 'limit', { fallback: 100, max: 1000 });
    const pageSize = Math.min(limit, PAGE_SIZE);
    const { items, isCut } = await collectPages<JsonObject, number>({
      vendor: 'PagerDuty',
      first: 0,
      maxItems: limit,
      fetch: async (offset) => {
        const page = await pagerdutyClient.object(context, {
          path: '/oncalls',
          query: { limit: pageSize, offset, 'escalation_policy_ids[]': policy, 'schedule_ids[]': schedule },
        });
        const oncalls = objectsOf(page.oncalls);
        const next = page.more === true ? nextOffset({ offset, limit: 0, count: oncalls.length }) : undefined;
        return { items: oncalls, next };
      },
    });
    return { oncalls: items.map(shortOncall), has_more: isCut };
  },
});

function shortOncall(oncall: JsonObject): JsonObject {
  return {
    user: textAt(oncall, 'user', 'summary'),
    user_id: textAt(oncall, 'user', 'id'),
    escalation_policy: textAt(oncall, 'escalation_policy', 'summary'),
    level: numberOf(oncall, 'escalation_level'),
    schedule: textAt(oncall, 'schedule', 'summary'),
    start: textOf(oncall, 'start'),
    end: textOf(oncall, 'end'),
  };
}
