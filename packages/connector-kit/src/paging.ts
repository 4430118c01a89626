/**
 * Walking through vendors' pages: bounded in pages and items, and never in circles. Where to go on is data of the vendor,
 * so an address it gives is followed on the connector's own origin and below its base address only.
 */
import type { VendorCall } from './vendor-client.ts';
import { VendorError } from './vendor-error.ts';

export type VendorPage<Item, Cursor> = {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next: Cursor | undefined;
};

export type PagingOptions<Item, Cursor> = {
  readonly vendor: string;
  readonly first: Cursor;
  /** Default 20. */
  readonly maxPages?: number;
  /** Items after which no further page is asked for; what is beyond is cut off. Default 1000. */
  readonly maxItems?: number;
  readonly fetch: (cursor: Cursor) => Promise<VendorPage<Item, Cursor>>;
};

export type Paged<Item, Cursor> = {
  readonly items: readonly Item[];
  /** Where to go on when a bound ended the walk before the vendor did; items are only cut off when `maxItems` did. */
  readonly next: Cursor | undefined;
  /** There is more at the vendor than is given here. */
  readonly isCut: boolean;
};

/** All pages up to a bound. `Cursor` is JSON: two equal ones are a circle. Throws `VENDOR_ANSWER_UNREADABLE` then. */
export async function collectPages<Item, Cursor>(options: PagingOptions<Item, Cursor>): Promise<Paged<Item, Cursor>> {
  const { maxPages = 20, maxItems = 1000, vendor } = options;
  const seen = new Set<string>();
  const items: Item[] = [];
  let cursor = options.first;
  for (let page = 1; ; page += 1) {
    const key = JSON.stringify(cursor);
    if (seen.has(key)) {
      throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${vendor} sends its pages in a circle.`);
    }
    seen.add(key);
    const answer = await options.fetch(cursor);
    const room = maxItems - items.length;
    items.push(...answer.items.slice(0, room));
    if (answer.items.length > room) return { items, next: answer.next, isCut: true };
    if (answer.next === undefined) return { items, next: undefined, isCut: false };
    if (page >= maxPages || items.length >= maxItems) return { items, next: answer.next, isCut: true };
    cursor = answer.next;
  }
}

/** Offset paging: the next offset, or undefined when the page was not full or the total is reached. */
export function nextOffset(page: { offset: number; limit: number; count: number; total?: number }): number | undefined {
  const next = page.offset + page.count;
  if (page.count === 0) return undefined;
  if (page.total !== undefined) return next < page.total ? next : undefined;
  return page.count < page.limit ? undefined : next;
}

/** The target of `rel="next"` in a `Link` header (repeated headers joined by commas), as the vendor wrote it. */
export function nextLinkOf(headers: Readonly<Record<string, string>>): string | undefined {
  for (const part of linkParts(headers.link ?? '')) {
    const isNext = part.parameters.some((one) => /^rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next)$/i.test(one));
    if (isNext) return part.target;
  }
  return undefined;
}

/** Commas and semicolons stand inside targets too, so the header is walked, not split. */
function linkParts(header: string): { target: string; parameters: string[] }[] {
  const parts: { target: string; parameters: string[] }[] = [];
  let at = header.indexOf('<');
  while (at >= 0) {
    const close = header.indexOf('>', at);
    if (close < 0) break;
    const following = header.indexOf('<', close);
    const rest = header.slice(close + 1, following < 0 ? undefined : following);
    const parameters = rest.split(';').map((one) => one.replace(/,\s*$/, '').trim());
    parts.push({ target: header.slice(at + 1, close), parameters });
    at = following;
  }
  return parts;
}

/**
 * A call that follows an address a vendor gave (`@odata.nextLink`, `links.next`, a `Link` target): absolute on the origin
 * of `base` and below its path, or relative to that origin. The query goes out as given. Throws
 * `VENDOR_ANSWER_UNREADABLE` for any other place: credentials go along.
 */
export function callOfLink(link: {
  vendor: string;
  base: string;
  target: string;
}): Pick<VendorCall, 'path' | 'rawQuery'> {
  const base = new URL(link.base);
  const root = base.pathname.replace(/\/+$/, '');
  const target = URL.canParse(link.target, base.origin) ? new URL(link.target, base.origin) : undefined;
  const isInside =
    target !== undefined &&
    target.origin === base.origin &&
    target.username === '' &&
    target.password === '' &&
    target.pathname.startsWith(`${root}/`);
  if (!isInside) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${link.vendor} names a next page at another address.`);
  }
  const rawQuery = target.search.replace(/^\?/, '');
  return { path: target.pathname.slice(root.length), ...(rawQuery === '' ? {} : { rawQuery }) };
}
