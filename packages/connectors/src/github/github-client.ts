import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { callOfLink, collectPages, nextLinkOf } from '@airdeck/connector-kit/paging';
import { isRateLimitExhausted } from '@airdeck/connector-kit/rate-limit';
import { segment } from '@airdeck/connector-kit/vendor-address';
import type { StatedFailure, VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';
import { inputText } from '../vendor-action.ts';

export const GITHUB_URL = 'https://api.github.com';
const VENDOR = 'GitHub';

/** GitHub asks for a minute where a secondary limit says nothing better. */
const SECONDARY_LIMIT_WAIT_S = 60;
const PAGE_SIZE = 100;

export const githubClient = createVendorClient({
  vendor: VENDOR,
  baseUrl: (config) => baseUrl(config, GITHUB_URL),
  authorize: ({ config }) => ({ authorization: `Bearer ${configText(config, 'token')}` }),
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  failure: statedFailure,
});

/** `/orgs/{org}`, the organization of the connector. */
export function orgPath({ config }: Pick<ConnectorContext, 'config'>, ...rest: readonly string[]): string {
  return ['/orgs', ...[configText(config, 'organization'), ...rest].map(segment)].join('/');
}

export const usernameRule = {
  max: 110,
  pattern: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?$/,
  like: 'such as octocat',
};

/** `owner/name`, or a name in the connector's organization. */
export function repositoryPath(context: { config: JsonObject; input: JsonObject }): string {
  const rule = {
    max: 200,
    pattern: /^(?:[A-Za-z0-9][A-Za-z0-9-]{0,99}\/)?[A-Za-z0-9._-]{1,100}$/,
    like: 'such as octo-org/app',
  };
  const parts = inputText(context, 'repository', rule).split('/');
  const [owner = '', name = ''] = parts.length === 1 ? [configText(context.config, 'organization'), ...parts] : parts;
  return `/repos/${segment(owner)}/${segment(name)}`;
}

export type GithubPage = {
  readonly items: readonly JsonObject[];
  /** The query of the next page, as GitHub gave it. */
  readonly nextQuery: string | undefined;
};

/** One page of a list; `rawQuery` of an earlier answer goes on with it. */
export async function githubPage(
  context: ConnectorContext,
  call: Pick<VendorCall, 'path' | 'query' | 'rawQuery'>,
): Promise<GithubPage> {
  const answer = await githubClient.call(context, call);
  const target = nextLinkOf(answer.headers);
  const base = baseUrl(context.config, GITHUB_URL);
  const next = target === undefined ? undefined : callOfLink({ vendor: VENDOR, base, target });
  if (!Array.isArray(answer.body)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${VENDOR} answered a list with something else.`);
  }
  return { items: objectsOf(answer.body), nextQuery: next?.rawQuery };
}

/**
 * The query of a next page for pages of `size` records, or of fewer where pages are counted: they have to begin where the one
 * before ended.
 */
export function withPageSize(rawQuery: string, size: number): string {
  const { page, per_page: given } = Object.fromEntries(new URLSearchParams(rawQuery));
  const begin = page === undefined ? 0 : (Number(page) - 1) * Number(given ?? PAGE_SIZE);
  let fits = size;
  while (begin % fits > 0) fits -= 1;
  return rawQuery
    .replace(/(?<=(?:^|&)per_page=)\d+/, String(fits))
    .replace(/(?<=(?:^|&)page=)\d+/, String(begin / fits + 1));
}

/** Pages of a list until `limit` items are there. */
export function githubItems(
  context: ConnectorContext,
  call: { path: string; query: VendorCall['query']; limit: number },
): Promise<{ items: readonly JsonObject[]; isCut: boolean }> {
  const query = { ...call.query, per_page: Math.min(call.limit, PAGE_SIZE) };
  return collectPages<JsonObject, string | null>({
    vendor: VENDOR,
    first: null,
    maxItems: call.limit,
    fetch: async (rawQuery) => {
      const page = await githubPage(
        context,
        rawQuery === null ? { path: call.path, query } : { path: call.path, rawQuery },
      );
      return { items: page.items, next: page.nextQuery };
    },
  });
}

/** Primary limit: 403 or 429 with nothing remaining. Secondary limit: `Retry-After`, or a link to its documentation. */
function statedFailure({ status, headers, body }: VendorAnswer): StatedFailure | undefined {
  if (status < 400) return undefined;
  const data = objectOf(body);
  const detail = wordsOf(data);
  if (status !== 403 && status !== 429) return { detail };
  const isSecondary = /#?(?:about-)?secondary-rate-limits$/.test(textOf(data, 'documentation_url') ?? '');
  const waits = headers['retry-after'] !== undefined;
  if (isRateLimitExhausted(headers) || waits) return { code: 'VENDOR_RATE_LIMITED', detail };
  if (!isSecondary && status === 403) return { detail };
  return { code: 'VENDOR_RATE_LIMITED', detail, retryAfterS: SECONDARY_LIMIT_WAIT_S };
}

function wordsOf(data: JsonObject): string {
  const errors = objectsOf(data.errors).map((error) => {
    const place = [textOf(error, 'resource'), textOf(error, 'field')].filter((part) => part !== null).join('.');
    return [place, textOf(error, 'message') ?? textOf(error, 'code')]
      .filter((part) => part !== null && part !== '')
      .join(' ');
  });
  return [textOf(data, 'message') ?? '', ...errors].filter((part) => part !== '').join('; ');
}
