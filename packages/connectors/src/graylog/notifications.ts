import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textAt, textOf } from '../answer-fields.ts';
import type { GraylogVersion } from './graylog-client.ts';
import { findVersion, GRAYLOG, graylogClient, isAtLeast } from './graylog-client.ts';
import { listTitled, titledLists } from './titled-lists.ts';

/** From this version on the body of a create call is wrapped. */
const WRAPPED_FROM = { major: 7, minor: 0 };
/** From this version on a call can carry credentials in a header; before, all there is is its address. */
const CREDENTIALS_FROM = { major: 5, minor: 0 };
/** From this version on there are notifications with a choice of method and body. */
const SECOND_FORM_FROM = { major: 6, minor: 1 };

/** The name does not matter to who gets the call. */
const TOKEN_USER = 'airdeck';

const { path: NOTIFICATIONS, noun } = titledLists.notifications;

export type HttpNotification = {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** Sent with every call. Only for callers in this process: an action's input is kept and shown. */
  readonly token?: string;
};

/**
 * Creates a webhook, or finds the one of that title and address: repeating it leaves one. Throws `VENDOR_CONFLICT` when the
 * title is taken by something else.
 */
export async function createHttpNotification(
  context: ConnectorContext,
  wanted: HttpNotification,
): Promise<{ id: string; changed: boolean }> {
  const sameTitle = (await listTitled(context, titledLists.notifications, wanted.title)).filter(
    (entry) => entry.title === wanted.title,
  );
  const version = await findVersion(context);
  const [known] = sameTitle;
  if (known !== undefined) {
    const id = textOf(known, 'id');
    if (sameTitle.length === 1 && id !== null && textAt(known, 'config', 'url') === urlOf(wanted, version))
      return { id, changed: false };
    throw new VendorError('VENDOR_CONFLICT', `${GRAYLOG} has another ${noun} of that title.`);
  }
  const { title, description } = wanted;
  const created = await createEntity(context, {
    version,
    entity: { title, description, config: configOf(wanted, version) },
  });
  const id = textOf(created, 'id');
  if (id !== null && id !== '') return { id, changed: true };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without the id of the ${noun}.`);
}

/** Makes an existing notification what is wanted, its secret included. */
export async function writeHttpNotification(
  context: ConnectorContext,
  id: string,
  wanted: HttpNotification,
): Promise<void> {
  const { title, description } = wanted;
  const json = { id, title, description, config: configOf(wanted, await findVersion(context)) };
  await graylogClient.call(context, {
    method: 'PUT',
    path: `${NOTIFICATIONS}/${segment(id)}`,
    json,
    idempotent: true,
  });
}

/** Whether a notification still posts whole alerts to where it should; its secret cannot be read. */
export function isAsWanted(
  notification: JsonObject,
  wanted: HttpNotification,
  version: GraylogVersion | undefined,
): boolean {
  const config = objectOf(notification.config);
  if (textOf(config, 'url') !== urlOf(wanted, version)) return false;
  const hasSecret = objectOf(config.basic_auth).is_set === true;
  if (wanted.token !== undefined && isAtLeast(version, CREDENTIALS_FROM) && !hasSecret) return false;
  if (config.type === 'http-notification-v1') return true;
  const isPlain = (textOf(config, 'body_template') ?? '') === '' && (textOf(config, 'headers') ?? '') === '';
  return (
    config.type === 'http-notification-v2' && config.method === 'POST' && config.content_type === 'JSON' && isPlain
  );
}

/** Deleting takes it out of all definitions too, and one that is gone is no error. */
export async function deleteNotification(context: ConnectorContext, id: string): Promise<void> {
  await graylogClient.call(context, { method: 'DELETE', path: `${NOTIFICATIONS}/${segment(id)}`, idempotent: true });
}

function configOf(wanted: HttpNotification, version: GraylogVersion | undefined): JsonObject {
  const { token } = wanted;
  const url = urlOf(wanted, version);
  // All that the oldest servers know.
  if (!isAtLeast(version, CREDENTIALS_FROM)) return { type: 'http-notification-v1', url };
  const first = {
    type: 'http-notification-v1',
    url,
    // As a password, since a header of one's own came only with a later patch.
    ...(token === undefined ? {} : { basic_auth: { set_value: `${TOKEN_USER}:${token}` } }),
  };
  // The older form always posts the alert as JSON, which is all that is wanted here.
  if (!isAtLeast(version, SECOND_FORM_FROM)) return first;
  return {
    ...first,
    type: 'http-notification-v2',
    method: 'POST',
    time_zone: 'UTC',
    content_type: 'JSON',
    headers: null,
    body_template: '',
    skip_tls_verification: false,
  };
}

function urlOf({ url, token }: HttpNotification, version: GraylogVersion | undefined): string {
  if (token === undefined || isAtLeast(version, CREDENTIALS_FROM)) return url;
  const withToken = new URL(url);
  withToken.searchParams.set('token', token);
  return withToken.href;
}

/** In the form the version takes; when that is refused as a request, in the other one: nothing was created then. */
async function createEntity(
  context: ConnectorContext,
  { version, entity }: { version: GraylogVersion | undefined; entity: JsonObject },
): Promise<JsonObject> {
  const wrapped: VendorCall = { method: 'POST', path: NOTIFICATIONS, json: { entity, share_request: null } };
  const bare: VendorCall = { method: 'POST', path: NOTIFICATIONS, json: entity };
  const [first, second] = isAtLeast(version, WRAPPED_FROM) ? [wrapped, bare] : [bare, wrapped];
  try {
    return await graylogClient.object(context, first);
  } catch (refusal) {
    if (!(refusal instanceof VendorError) || refusal.code !== 'VENDOR_REJECTED') throw refusal;
    try {
      return await graylogClient.object(context, second);
    } catch (error) {
      // What was wrong with the form that should have fitted is what helps.
      throw error instanceof VendorError && error.code === 'VENDOR_REJECTED' ? refusal : error;
    }
  }
}
