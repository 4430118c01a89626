/**
 * The notification that brings a product's automation its alerts: made, attached to an event definition, looked at and
 * taken away. Everything here may be repeated after a crash at any point: what is there already is found by its title.
 */
import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { editNotifications, notificationIds } from './event-definitions.ts';
import { findVersion } from './graylog-client.ts';
import {
  createHttpNotification,
  deleteNotification,
  type HttpNotification,
  isAsWanted,
  writeHttpNotification,
} from './notifications.ts';
import { listTitled, titledLists } from './titled-lists.ts';

/** Throws `VENDOR_CONFLICT` when others keep writing the definition at the same time. */
export async function attachTo(
  context: ConnectorContext,
  definitionId: string,
  notificationId: string,
): Promise<{ title: string | null; changed: boolean }> {
  const { definition, changed } = await editNotifications(context, definitionId, (now) =>
    now.some((entry) => entry.notification_id === notificationId)
      ? undefined
      : [...now, { notification_id: notificationId, notification_parameters: null }],
  );
  return { title: textOf(definition, 'title'), changed };
}

/** Throws `VENDOR_CONFLICT` when others keep writing the definition at the same time. */
export async function detachFrom(
  context: ConnectorContext,
  definitionId: string,
  ids: readonly string[],
): Promise<{ changed: boolean }> {
  const isOne = (entry: JsonObject) => ids.includes(textOf(entry, 'notification_id') ?? '');
  const { changed } = await editNotifications(context, definitionId, (now) =>
    now.some(isOne) ? now.filter((entry) => !isOne(entry)) : undefined,
  );
  return { changed };
}

/**
 * Makes the notification, or finds the one of its title and sets right what is different. With `rewrite` it is written in
 * any case: nobody can read whether its secret is still the right one. Returns its id.
 */
export async function ensureNotification(
  context: ConnectorContext,
  wanted: HttpNotification,
  { rewrite }: { rewrite: boolean },
): Promise<string> {
  const [known, ...more] = await ownNotifications(context, wanted.title);
  // Two that were made at the same time; the title is nobody else's.
  for (const { id } of more) await deleteNotification(context, id);
  if (known === undefined) return (await createHttpNotification(context, wanted)).id;
  const version = await findVersion(context);
  if (rewrite || !isAsWanted(known, wanted, version)) await writeHttpNotification(context, known.id, wanted);
  return known.id;
}

/** Takes it out of the definition and deletes it. What is gone already, the definition included, is no error. */
export async function removeNotifications(
  context: ConnectorContext,
  { title, definitionId }: { title: string; definitionId: string },
): Promise<void> {
  const ids = (await ownNotifications(context, title)).map(({ id }) => id);
  if (ids.length === 0) return;
  try {
    await detachFrom(context, definitionId, ids);
  } catch (error) {
    if (!(error instanceof VendorError && error.code === 'VENDOR_NOT_FOUND')) throw error;
  }
  for (const id of ids) await deleteNotification(context, id);
}

export type FoundNotification = {
  /** `different`: not as it was made. */
  readonly notification: 'there' | 'missing' | 'different';
  /** Title of the event definition; undefined when that is gone. */
  readonly definitionTitle: string | undefined;
  readonly attached: boolean;
};

type Expected = { readonly notification: HttpNotification; readonly definitionId: string };

/** How notifications stand, with two lists for all of them. In the order they were asked for. */
export async function inspectNotifications(
  context: ConnectorContext,
  expected: readonly Expected[],
): Promise<readonly FoundNotification[]> {
  const version = await findVersion(context);
  const notifications = await listTitled(context, titledLists.notifications);
  const definitions = new Map(
    (await listTitled(context, titledLists.definitions)).map((one) => [textOf(one, 'id'), one]),
  );
  return expected.map(({ notification: wanted, definitionId }) => {
    const found = notifications.find((one) => one.title === wanted.title);
    const definition = definitions.get(definitionId);
    const id = found === undefined ? null : textOf(found, 'id');
    return {
      notification: found === undefined ? 'missing' : isAsWanted(found, wanted, version) ? 'there' : 'different',
      definitionTitle: definition === undefined ? undefined : (textOf(definition, 'title') ?? ''),
      attached: id !== null && definition !== undefined && notificationIds(definition).includes(id),
    };
  });
}

async function ownNotifications(context: ConnectorContext, title: string): Promise<readonly OwnNotification[]> {
  const found = await listTitled(context, titledLists.notifications, title);
  return found
    .filter((entry) => entry.title === title)
    .flatMap((entry) => {
      const id = textOf(entry, 'id');
      return id === null || id === '' ? [] : [{ ...entry, id }];
    });
}

type OwnNotification = JsonObject & { readonly id: string };
