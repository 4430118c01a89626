import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textAt, textOf } from '../answer-fields.ts';
import { actionFactory } from '../vendor-action.ts';

export const OKTA_OWNER = { definition_id: 'okta', vendor: 'Okta', product: 'Okta' } as const;

export const oktaAction = actionFactory(OKTA_OWNER);

const nullableText: JsonObject = { type: ['string', 'null'] };

export const userOutput: JsonObject = {
  id: { type: 'string' },
  status: {
    ...nullableText,
    description: 'ACTIVE, SUSPENDED, LOCKED_OUT, PASSWORD_EXPIRED, RECOVERY, STAGED, PROVISIONED or DEPROVISIONED.',
  },
  login: nullableText,
  email: nullableText,
  name: nullableText,
  department: nullableText,
  created: nullableText,
  last_login: nullableText,
  status_changed: nullableText,
  password_changed: nullableText,
};

/** A user in the shape of `userOutput`. */
export function userFacts(user: JsonObject): JsonObject {
  const profile = objectOf(user.profile);
  const name = [textOf(profile, 'firstName'), textOf(profile, 'lastName')].filter(Boolean).join(' ');
  return {
    id: textOf(user, 'id') ?? '',
    status: textOf(user, 'status'),
    login: textAt(user, 'profile', 'login'),
    email: textAt(user, 'profile', 'email'),
    name: name === '' ? null : name,
    department: textAt(user, 'profile', 'department'),
    created: textOf(user, 'created'),
    last_login: textOf(user, 'lastLogin'),
    status_changed: textOf(user, 'statusChanged'),
    password_changed: textOf(user, 'passwordChanged'),
  };
}

/** Output of actions that leave a user in one state. */
export const changeOutput: JsonObject = {
  id: { type: 'string' },
  login: nullableText,
  changed: { type: 'boolean', description: 'False when it was so already.' },
};

export function changeFacts(user: JsonObject, changed: boolean): JsonObject {
  return { id: textOf(user, 'id') ?? '', login: textAt(user, 'profile', 'login'), changed };
}
