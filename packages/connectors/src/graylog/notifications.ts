import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textAt, textOf } from '../answer-fields.ts';
import type { GraylogVersion } from './graylog-client.ts';
import { findVersion, GRAYLOG, graylogClient, isAtLeast } from './graylog-client.ts';
import { listTitled, titledLists } from './titled-lists.ts';

/** From this version on the body of a create call is wrapped. */
const WRAPPED_FROM = { major: 7, minor: 0 };
/** From this version on there are notifications with a choice of method and body. */
const SECOND_FORM_FROM = { major: 6, minor: 1 };

const { path: NOTIFICATIONS, noun } = titledLists.notifications;

export type HttpNotification = {
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** Sent in a header with every call. Only for callers in this process: an action's input is kept and shown. */
  readonly secret?: { readonly header: string; readonly value: string };
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
  const [known] = sameTitle;
  if (known !== undefined) {
    const id = textOf(known, 'id');
    if (sameTitle.length === 1 && id !== null && textAt(known, 'config', 'url') === wanted.url)
      return { id, changed: false };
    throw new VendorError('VENDOR_CONFLICT', `${GRAYLOG} has another ${noun} of that title.`);
  }
  const version = await findVersion(context);
  const { title, description } = wanted;
  const created = await createEntity(context, {
    version,
    entity: { title, description, config: configOf(wanted, version) },
  });
  const id = textOf(created, 'id');
  if (id !== null && id !== '') return { id, changed: true };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without the id of the ${noun}.`);
}

/** Deleting takes it out of all definitions too, and one that is gone is no error. */
export async function deleteNotification(context: ConnectorContext, id: string): Promise<void> {
  await graylogClient.call(context, { method: 'DELETE', path: `${NOTIFICATIONS}/${segment(id)}`, idempotent: true });
}

function configOf({ url, secret }: HttpNotification, version: GraylogVersion | undefined): JsonObject {
  const first = {
    type: 'http-notification-v1',
    url,
    ...(secret === undefined
      ? {}
      : { api_key_as_header: true, api_key: secret.header, api_secret: { set_value: secret.value } }),
    skip_tls_verification: false,
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
  };
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
