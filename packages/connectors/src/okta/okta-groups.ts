import type { ActionContext } from '@airdeck/connector-kit/definition';
import { collectPages } from '@airdeck/connector-kit/paging';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textAt, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { fetchLinkedPage, OKTA } from './okta-client.ts';

const NAME_MAX = 255;
/** Ids of groups; a name may look like one, which is why the name is tried first only for what cannot be an id. */
const GROUP_ID = /^00g[0-9A-Za-z]{10,30}$/;

export const groupInput: JsonObject = {
  type: 'string',
  title: 'Group',
  description: 'Name or id.',
  minLength: 1,
  maxLength: NAME_MAX,
};

export type OktaGroupRef = { readonly id: string; readonly name: string | null };

/** The one group of that name or id. Throws `VENDOR_NOT_FOUND` for none, `VENDOR_CONFLICT` for several: never a guess. */
export async function inputGroup(context: ActionContext): Promise<OktaGroupRef> {
  const wanted = inputText(context, 'group', { max: NAME_MAX });
  if (GROUP_ID.test(wanted)) return { id: wanted, name: null };
  const first: VendorCall = { path: '/api/v1/groups', query: { q: wanted, limit: 200 } };
  const { items } = await collectPages({
    vendor: OKTA,
    first,
    fetch: (call) => fetchLinkedPage(context, call),
  });
  const ids = items.filter((group) => textAt(group, 'profile', 'name') === wanted).map((group) => textOf(group, 'id'));
  const [id] = ids;
  if (ids.length === 1 && id !== undefined && id !== null) return { id, name: wanted };
  const code = ids.length === 0 ? 'VENDOR_NOT_FOUND' : 'VENDOR_CONFLICT';
  throw new VendorError(code, `${OKTA} has ${ids.length === 0 ? 'no group' : `${ids.length} groups`} of that name.`);
}

export function membershipPath(group: OktaGroupRef, userId: string): string {
  return `/api/v1/groups/${segment(group.id)}/users/${segment(userId)}`;
}

export const membershipOutput: JsonObject = {
  user_id: { type: 'string' },
  group_id: { type: 'string' },
  group_name: { type: ['string', 'null'] },
};
