import { addressFamily } from '@airdeck/connector-kit/address-class';
import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { configTextOr } from '../config-values.ts';
import { addressInputSchema } from '../ip-address.ts';

/** Group that the connector's user has put into a deny rule. */
export const DEFAULT_GROUP = 'AIRdeck-Blocked';

const OBJECT_PREFIX = 'airdeck-';

/** Derived from the address alone: blocking twice meets the same object, which makes the action idempotent. */
export function objectName(address: string): string {
  return `${OBJECT_PREFIX}${address}`;
}

/** The address an object was made for; null when it was not made here. */
export function addressOf(name: string): string | null {
  const address = name.startsWith(OBJECT_PREFIX) ? name.slice(OBJECT_PREFIX.length) : '';
  return addressFamily(address) === 4 ? address : null;
}

export function groupOf(context: ActionContext): string {
  const { group } = context.input;
  return typeof group === 'string' && group !== '' ? group : configTextOr(context.config, 'group', DEFAULT_GROUP);
}

export const groupInputSchema: JsonObject = {
  type: 'string',
  title: 'Address group',
  description: "The connector's group when left empty.",
  maxLength: 79,
};

export const addressInput: JsonObject = { ...addressInputSchema, title: 'IPv4 address', maxLength: 15 };

export const outputSchema: JsonObject = {
  type: 'object',
  required: ['address', 'object', 'group', 'changed'],
  properties: {
    address: { type: 'string' },
    object: { type: 'string', description: 'Name of the address object on the firewall.' },
    group: { type: 'string' },
    changed: { type: 'boolean', description: 'False when the firewall was in this state already.' },
  },
};
