import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { collectPages, nextOffset } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, objectsOf, textOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';

/** Two lists of the same make: where they are, how a person calls one entry, and what older servers call the list. */
export const titledLists = {
  definitions: { path: '/events/definitions', noun: 'event definition', oldName: 'event_definitions' },
  notifications: { path: '/events/notifications', noun: 'notification', oldName: 'notifications' },
} as const;

type TitledList = (typeof titledLists)[keyof typeof titledLists];

const PAGE_SIZE = 100;
const MAX_ENTRIES = 2000;
const TITLE_MAX = 500;

/**
 * What the server's lists cannot be asked for: quotes end the value, a backslash is one of two that are never unescaped, and
 * a sign at the beginning compares.
 */
const notToAskFor = /["'\\]|^[<>=]/;

/** All entries, or at least those of a title: the server finds it anywhere in theirs, in any case. */
export async function listTitled(
  context: ConnectorContext,
  list: TitledList,
  title?: string,
): Promise<readonly JsonObject[]> {
  const { items, isCut } = await collectPages({
    vendor: GRAYLOG,
    first: 1,
    maxItems: MAX_ENTRIES,
    maxPages: MAX_ENTRIES / PAGE_SIZE,
    fetch: (page) => fetchPage(context, list, { page, title }),
  });
  if (!isCut) return items;
  throw new VendorError('VENDOR_REJECTED', `${GRAYLOG} has more than ${MAX_ENTRIES} ${list.noun}s.`);
}

async function fetchPage(
  context: ConnectorContext,
  list: TitledList,
  { page, title }: { page: number; title: string | undefined },
): Promise<{ items: readonly JsonObject[]; next: number | undefined }> {
  const call = { query: { page, per_page: PAGE_SIZE, query: queryOf(title) } };
  const paged = await graylogClient.call(context, { path: `${list.path}/paginated`, ...call, accept: [404] });
  const body =
    paged.status === 404
      ? await graylogClient.object(context, { path: list.path, ...call })
      : (paged.body as JsonObject | undefined);
  const entries = body?.elements ?? body?.[list.oldName];
  if (body === undefined || !Array.isArray(entries)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without a list of ${list.noun}s.`);
  }
  const total = numberOf(body, 'total');
  const offset = (page - 1) * PAGE_SIZE;
  const next = nextOffset({ offset, limit: PAGE_SIZE, count: entries.length, ...(total === null ? {} : { total }) });
  const items = objectsOf(entries).map((entry) => withScheduler(entry, body));
  return { items, next: next === undefined ? undefined : page + 1 };
}

/** The server decodes it once more than it decodes every address. */
function queryOf(title: string | undefined): string {
  if (title === undefined || notToAskFor.test(title)) return '';
  return `title:"${title.replaceAll('%', '%25').replaceAll('+', '%2B')}"`;
}

/** The older list says beside its entries, not in them, which of them are scheduled. */
function withScheduler(entry: JsonObject, body: JsonObject): JsonObject {
  const scheduler = objectOf(objectOf(body.context).scheduler)[textOf(entry, 'id') ?? ''];
  return scheduler === undefined ? entry : { ...entry, scheduler };
}

/**
 * The one entry of exactly this title. Throws `VENDOR_NOT_FOUND` for none and `VENDOR_CONFLICT`, naming how many, for
 * several: never a guess.
 */
export async function getTitled(
  context: ConnectorContext,
  list: TitledList,
  title: string,
): Promise<JsonObject & { id: string }> {
  const found = (await listTitled(context, list, title)).filter((entry) => entry.title === title);
  const [entry] = found;
  const id = entry === undefined ? null : textOf(entry, 'id');
  if (found.length === 1 && entry !== undefined && id !== null && id !== '') return { ...entry, id };
  if (found.length === 0) throw new VendorError('VENDOR_NOT_FOUND', `${GRAYLOG} has no ${list.noun} of that title.`);
  throw new VendorError('VENDOR_CONFLICT', `${GRAYLOG} has ${found.length} ${list.noun}s of that title.`);
}

export function inputTitle(context: ActionContext, field: string): string {
  return inputText(context, field, { max: TITLE_MAX });
}

export function titleInput(title: string): JsonObject {
  return {
    type: 'string',
    title,
    description: 'Its title, letter by letter.',
    minLength: 1,
    maxLength: TITLE_MAX,
  };
}
