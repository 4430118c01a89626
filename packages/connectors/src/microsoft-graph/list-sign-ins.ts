import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textAt, textOf } from '../answer-fields.ts';
import { inputTime, reversedTimes } from '../time-input.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { graphAction } from './graph-action.ts';
import { collectValues, odataText } from './graph-client.ts';

const LIMIT = { fallback: 100, max: 1000 };
const PAGE_MAX = 200;
const DAY_MS = 86_400_000;
const nullableText: JsonObject = { type: ['string', 'null'] };

const signInOutput: JsonObject = {
  id: { type: 'string' },
  time: nullableText,
  user_principal_name: nullableText,
  application: nullableText,
  ip_address: nullableText,
  country: nullableText,
  city: nullableText,
  client: nullableText,
  error_code: { type: ['number', 'null'], description: '0 for a sign-in that succeeded.' },
  failure_reason: nullableText,
  risk_level: nullableText,
};

export const listSignIns = graphAction({
  verb: 'list_sign_ins',
  friendly_name: 'List sign-ins',
  description: 'Lists sign-ins to Entra ID, newest first. Needs a license of Entra ID P1 or P2 at Microsoft.',
  effect: 'reads',
  idempotent: true,
  inputProblems: reversedTimes,
  input: {
    user_principal_name: {
      type: 'string',
      title: 'User principal name',
      description: 'Empty: everybody.',
      maxLength: 256,
    },
    start_time: { type: 'string', title: 'From', description: 'Default: a day before the end.', maxLength: 40 },
    end_time: { type: 'string', title: 'Until', description: 'Default: now.', maxLength: 40 },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  output: {
    sign_ins: { type: 'array', items: { type: 'object', properties: signInOutput } },
    is_cut: { type: 'boolean', description: 'There are more than were asked for.' },
  },
  timeout_s: 60,

  async run(context) {
    const maxItems = inputCount(context, 'limit', LIMIT);
    const { items, isCut } = await collectValues(context, {
      maxItems,
      first: {
        path: '/v1.0/auditLogs/signIns',
        query: { $filter: filterOf(context), $orderby: 'createdDateTime desc', $top: Math.min(maxItems, PAGE_MAX) },
      },
    });
    return { sign_ins: items.map(signInFacts), is_cut: isCut };
  },
});

function filterOf(context: ActionContext): string {
  const until = inputTime(context, 'end_time') ?? context.now();
  const since = inputTime(context, 'start_time') ?? new Date(until.getTime() - DAY_MS);
  const name = optionalText(context, 'user_principal_name', { max: 256 });
  const terms = [`createdDateTime ge ${since.toISOString()}`, `createdDateTime le ${until.toISOString()}`];
  // Names are kept in lower case there, and compared as they are.
  if (name !== undefined) terms.push(`userPrincipalName eq ${odataText(name.toLowerCase())}`);
  return terms.join(' and ');
}

function signInFacts(signIn: JsonObject): JsonObject {
  const status = objectOf(signIn.status);
  return {
    id: textOf(signIn, 'id') ?? '',
    time: textOf(signIn, 'createdDateTime'),
    user_principal_name: textOf(signIn, 'userPrincipalName'),
    application: textOf(signIn, 'appDisplayName'),
    ip_address: textOf(signIn, 'ipAddress'),
    country: textAt(signIn, 'location', 'countryOrRegion'),
    city: textAt(signIn, 'location', 'city'),
    client: textOf(signIn, 'clientAppUsed'),
    error_code: numberOf(status, 'errorCode'),
    failure_reason: textOf(status, 'failureReason'),
    risk_level: textOf(signIn, 'riskLevelAggregated'),
  };
}
