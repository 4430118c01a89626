import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { StatedFailure, VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf, textsOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';

export const GRAYLOG = 'Graylog';

export const graylogClient = createVendorClient({
  vendor: GRAYLOG,
  baseUrl: (config) => baseUrl(config),
  // An access token stands where the user stands, with a fixed word for a password.
  authorize({ config }) {
    const pair = Buffer.from(`${configText(config, 'api_token')}:token`, 'utf8').toString('base64');
    return { authorization: `Basic ${pair}` };
  },
  // Without it every call that is not a GET is refused, those that only search included.
  headers: { 'x-requested-by': 'AIRdeck' },
  failure: graylogFailure,
  ca: (config) => textOf(config, 'ca_certificate') ?? undefined,
});

/** Types of errors of the server; also met under a status that says success. */
const errorTypes: ReadonlySet<string> = new Set(['ApiError', 'RequestError']);

/** Three shapes: `type` and `message`; failed validation with neither, but `errors` by field; and words without JSON. */
function graylogFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const error = objectOf(body);
  const isError = status >= 400 || errorTypes.has(textOf(error, 'type') ?? '') || error.failed === true;
  if (!isError) return undefined;
  const words = textOf(error, 'message') ?? textsOf(Object.values(objectOf(error.errors)).flat())[0];
  if (words === undefined) return {};
  if (status < 400 || !words.startsWith('Failed to obtain results')) return { detail: words };
  return { code: refusedSearch.test(words) ? 'VENDOR_REJECTED' : 'VENDOR_UNAVAILABLE', detail: words };
}

/**
 * A query that the index refuses and an index that is away come under one status, 500 of the older search and 400 of the
 * newer: only the words tell them apart. Known are those of a refusal; whatever else goes wrong is worth another try.
 */
const refusedSearch =
  /Failed to parse query|Cannot parse|pars(?:e|ing)_exception|maxClauseCount|too_many(?:_nested)?_clauses|query_shard_exception|allowed time range limit|Result window is too large/;

/** `{ major: 6, minor: 1 }` of `6.1.4+ab12cd3`; undefined when it cannot be read. */
export type GraylogVersion = { readonly major: number; readonly minor: number };

function versionOf(system: JsonObject): GraylogVersion | undefined {
  const match = /^(\d{1,4})\.(\d{1,4})/.exec(textOf(system, 'version') ?? '');
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2]) };
}

/** The server's version; undefined when these credentials may not ask for it. */
export async function findVersion(context: ConnectorContext): Promise<GraylogVersion | undefined> {
  try {
    return versionOf(await getSystem(context));
  } catch (error) {
    if (error instanceof VendorError && error.code === 'VENDOR_PERMISSION_MISSING') return undefined;
    throw error;
  }
}

export function isAtLeast(version: GraylogVersion | undefined, { major, minor }: GraylogVersion): boolean {
  // Unknown: as new as any. What does not fit is refused by the server, not done wrongly.
  if (version === undefined) return true;
  return version.major > major || (version.major === major && version.minor >= minor);
}

export function getSystem(context: ConnectorContext): Promise<JsonObject> {
  return graylogClient.object(context, { path: '/system' });
}
