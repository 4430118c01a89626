import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { actionFactory } from '../vendor-action.ts';

export const GRAPH_OWNER = {
  definition_id: 'microsoft_graph',
  vendor: 'Microsoft',
  product: 'Microsoft Graph',
} as const;

export const graphAction = actionFactory(GRAPH_OWNER);

const nullableText: JsonObject = { type: ['string', 'null'] };

export const userOutput: JsonObject = {
  id: { type: 'string' },
  user_principal_name: nullableText,
  name: nullableText,
  email: nullableText,
  department: nullableText,
  job_title: nullableText,
  enabled: { type: ['boolean', 'null'] },
  created: nullableText,
  password_changed: nullableText,
};

/** A user in the shape of `userOutput`. */
export function userFacts(user: JsonObject): JsonObject {
  return {
    id: textOf(user, 'id') ?? '',
    user_principal_name: textOf(user, 'userPrincipalName'),
    name: textOf(user, 'displayName'),
    email: textOf(user, 'mail'),
    department: textOf(user, 'department'),
    job_title: textOf(user, 'jobTitle'),
    enabled: typeof user.accountEnabled === 'boolean' ? user.accountEnabled : null,
    created: textOf(user, 'createdDateTime'),
    password_changed: textOf(user, 'lastPasswordChangeDateTime'),
  };
}

export const changeOutput: JsonObject = {
  id: { type: 'string' },
  user_principal_name: nullableText,
  changed: { type: 'boolean', description: 'False when it was so already.' },
};

export function changeFacts(user: JsonObject, changed: boolean): JsonObject {
  return { id: textOf(user, 'id') ?? '', user_principal_name: textOf(user, 'userPrincipalName'), changed };
}
