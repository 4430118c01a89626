import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { callOfLink, nextLinkOf, type VendorPage } from '@airdeck/connector-kit/paging';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { StatedFailure, VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textAt, textOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';
import { inputText } from '../vendor-action.ts';

export const OKTA = 'Okta';

/** Codes that say more than the HTTP status they come with. */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  E0000004: 'VENDOR_CREDENTIALS_REFUSED',
  E0000006: 'VENDOR_PERMISSION_MISSING',
  E0000007: 'VENDOR_NOT_FOUND',
  E0000009: 'VENDOR_UNAVAILABLE',
  E0000011: 'VENDOR_CREDENTIALS_REFUSED',
  E0000047: 'VENDOR_RATE_LIMITED',
};

export const oktaClient = createVendorClient({
  vendor: OKTA,
  baseUrl: (config) => baseUrl(config),
  authorize: ({ config }) => ({ authorization: `SSWS ${configText(config, 'api_token')}` }),
  failure: oktaFailure,
});

/** Okta's own words for a failure, and a code where its number says more than the status. */
export function oktaFailure({ body }: Pick<VendorAnswer, 'body'>): StatedFailure | undefined {
  const error = objectOf(body);
  const number = textOf(error, 'errorCode');
  if (number === null) return undefined;
  const causes = objectsOf(error.errorCauses).map((cause) => textOf(cause, 'errorSummary'));
  const words = [textOf(error, 'errorSummary'), ...causes].filter((text) => text !== null && text !== '');
  const code = Object.hasOwn(codes, number) ? codes[number] : undefined;
  return { detail: `${words.join(' ')} (${number})`, ...(code === undefined ? {} : { code }) };
}

/** Path of a user given by login or id. */
export function userPath(idOrLogin: string, ...rest: readonly string[]): string {
  return ['/api/v1/users', segment(idOrLogin), ...rest].join('/');
}

/** The login or id of an action's input. */
export function inputUser(context: ActionContext): string {
  return inputText(context, 'user', { max: 100 });
}

/** Input property of every action on one person. */
export const userInput: JsonObject = {
  type: 'string',
  title: 'User',
  description: 'Login, such as ada.abend@example.com, or id.',
  minLength: 1,
  maxLength: 100,
};

/** The person of exactly that login or id: Okta also takes the part before the @, which may be somebody else's. */
export async function getUser(context: ConnectorContext, idOrLogin: string): Promise<JsonObject & { id: string }> {
  const user = await readUser(context, idOrLogin);
  if (user.id === idOrLogin || textAt(user, 'profile', 'login')?.toLowerCase() === idOrLogin.toLowerCase()) return user;
  throw new VendorError('VENDOR_NOT_FOUND', `${OKTA} knows no such user. Give the whole login or the id.`);
}

/** Whom the token belongs to. */
export function tokenOwner(context: ConnectorContext): Promise<JsonObject & { id: string }> {
  return readUser(context, 'me');
}

async function readUser(context: ConnectorContext, name: string): Promise<JsonObject & { id: string }> {
  const user = await oktaClient.object(context, { path: userPath(name) });
  const id = textOf(user, 'id');
  if (id !== null && id !== '') return { ...user, id };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${OKTA} answered without the id of the user.`);
}

/** One page of a list that goes on by `Link` headers. */
export async function fetchLinkedPage(
  context: ConnectorContext,
  call: VendorCall,
): Promise<VendorPage<JsonObject, VendorCall>> {
  const answer = await oktaClient.call(context, call);
  if (!Array.isArray(answer.body)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${OKTA} answered without a list.`);
  }
  const target = nextLinkOf(answer.headers);
  const next = target === undefined ? undefined : callOfLink({ vendor: OKTA, base: baseUrl(context.config), target });
  return { items: objectsOf(answer.body), next };
}
