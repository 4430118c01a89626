import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { isSettableHeader } from '@airdeck/connector-kit/settable-header';
import { sentenceOf } from '@airdeck/connector-kit/vendor-answer';
import type { VendorAnswer, VendorCall, VendorClient } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { baseUrl, configText, configTextOr } from '../config-values.ts';

const VENDOR = 'The HTTP service';

/** How the credential travels. Each but `none` needs the settings it reads. */
export const authKinds = ['none', 'basic', 'bearer', 'header'] as const;

const authorizers: Readonly<Record<(typeof authKinds)[number], (config: JsonObject) => Record<string, string>>> = {
  none: () => ({}),
  basic(config) {
    const pair = `${configTextOr(config, 'username', '')}:${configText(config, 'secret')}`;
    return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
  },
  bearer: (config) => ({ authorization: `Bearer ${configText(config, 'secret')}` }),
  header: (config) => ({ [configText(config, 'header_name')]: configText(config, 'secret') }),
};

export const httpRequestClient: VendorClient = createVendorClient({
  vendor: VENDOR,
  baseUrl: (config) => baseUrl(config),
  authorize: ({ config }) => authorizers[authKindOf(config)](config),
  failure: ({ status, body }) => (status < 400 ? undefined : { detail: sentenceOf(body) }),
  ca: ({ ca_certificate: ca }) => (typeof ca === 'string' ? ca : undefined),
});

/** Characters of an answer that are handed on: an output is stored and shown. */
const MAX_ANSWER_LENGTH = 1_048_576;

/** One call below the base address. Never with headers that are the connection's or the credential's. */
export async function sendRequest(context: ConnectorContext, call: VendorCall): Promise<JsonObject> {
  const answer = await httpRequestClient.call(context, {
    ...call,
    answers: 'text',
    headers: ownHeaders(context, call),
  });
  if (answer.text.length > MAX_ANSWER_LENGTH) {
    throw new VendorError(
      'VENDOR_REJECTED',
      `${VENDOR} answered with more than 1 MB, too much for the output of an action.`,
      { outcomeUnknown: true },
    );
  }
  return { status: answer.status, headers: shownHeaders(answer), body: answer.body ?? null, text: answer.text };
}

function ownHeaders({ config }: ConnectorContext, { headers = {} }: VendorCall): Record<string, string> {
  const credential = configTextOr(config, 'header_name', '').toLowerCase();
  for (const name of Object.keys(headers)) {
    if (isSettableHeader(name) && name.toLowerCase() !== credential) continue;
    throw new VendorError('VENDOR_REJECTED', 'One of the headers is not for an action to set.');
  }
  return headers;
}

/** Cookies are credentials of a session; nobody needs them in an output. */
function shownHeaders({ headers }: VendorAnswer): JsonObject {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie'));
}

function authKindOf(config: JsonObject): (typeof authKinds)[number] {
  const kind = authKinds.find((one) => one === configTextOr(config, 'auth', 'none'));
  if (kind !== undefined) return kind;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', 'The setting "auth" of this connector is not a known kind.');
}
