import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { graphAction } from './graph-action.ts';
import { collectValues, odataText } from './graph-client.ts';

const LIMIT = { fallback: 100, max: 1000 };
const PAGE_MAX = 200;
const levels = ['low', 'medium', 'high'];
const nullableText: JsonObject = { type: ['string', 'null'] };

export const listRiskyUsers = graphAction({
  verb: 'list_risky_users',
  friendly_name: 'List risky users',
  description: 'Lists people whom Entra ID Protection takes for being at risk.',
  effect: 'reads',
  idempotent: true,
  input: {
    risk_level: { type: 'string', title: 'Risk', enum: levels },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  output: {
    users: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          user_principal_name: nullableText,
          name: nullableText,
          risk_level: nullableText,
          risk_state: nullableText,
          risk_detail: nullableText,
          updated: nullableText,
        },
      },
    },
    is_cut: { type: 'boolean', description: 'There are more than were asked for.' },
  },
  timeout_s: 60,

  async run(context) {
    const maxItems = inputCount(context, 'limit', LIMIT);
    const level = optionalText(context, 'risk_level', {
      max: 6,
      pattern: /^(?:low|medium|high)$/,
      like: 'low, medium or high',
    });
    const $filter = level === undefined ? undefined : `riskLevel eq ${odataText(level)}`;
    const { items, isCut } = await collectValues(context, {
      maxItems,
      first: { path: '/v1.0/identityProtection/riskyUsers', query: { $filter, $top: Math.min(maxItems, PAGE_MAX) } },
    });
    return { users: items.map(riskFacts), is_cut: isCut };
  },
});

function riskFacts(user: JsonObject): JsonObject {
  return {
    id: textOf(user, 'id') ?? '',
    user_principal_name: textOf(user, 'userPrincipalName'),
    name: textOf(user, 'userDisplayName'),
    risk_level: textOf(user, 'riskLevel'),
    risk_state: textOf(user, 'riskState'),
    risk_detail: textOf(user, 'riskDetail'),
    updated: textOf(user, 'riskLastUpdatedDateTime'),
  };
}
