import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { createTokenSource } from '@airdeck/connector-kit/oauth-token';
import type { StatedFailure, VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { codeForStatus, VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, objectsOf, textOf, textsOf } from '../answer-fields.ts';
import { baseUrl, configText, configTextOr } from '../config-values.ts';

export const FALCON = 'CrowdStrike Falcon';
export const FALCON_URL = 'https://api.crowdstrike.com';

const tokens = createTokenSource({
  vendor: FALCON,
  tokenUrl: (config) => `${falconUrl(config)}/oauth2/token`,
  form({ config }) {
    const memberCid = configTextOr(config, 'member_cid', '');
    return {
      client_id: configText(config, 'client_id'),
      client_secret: configText(config, 'client_secret'),
      ...(memberCid === '' ? {} : { member_cid: memberCid }),
    };
  },
  failure(answer) {
    const failure = falconFailure(answer);
    // At the token endpoint a 403 is about the client itself, not about one of its scopes.
    return answer.status === 400 || answer.status === 403
      ? { ...failure, code: 'VENDOR_CREDENTIALS_REFUSED' }
      : failure;
  },
});

const client = createVendorClient({
  vendor: FALCON,
  baseUrl: falconUrl,
  authorize: tokens.authorize,
  renew: tokens.renew,
  failure: falconFailure,
});

/** What an envelope holds, whatever its entries are. */
export type FalconAnswer = {
  readonly resources: readonly unknown[];
  readonly total: number | null;
  /** Token of the next page, where the call has one. */
  readonly after: string | undefined;
};

/** One call; also a success that names errors for some of its ids is a failure. Throws `VendorError`. */
export async function callFalcon(context: ConnectorContext, call: VendorCall): Promise<FalconAnswer> {
  const body = await client.object(context, call);
  const meta = objectOf(body.meta);
  // Some changes are answered with `meta` alone.
  if (!Array.isArray(body.resources) && !Array.isArray(body.errors) && Object.keys(meta).length === 0) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${FALCON} answered without its envelope. Check the address.`);
  }
  const pagination = objectOf(meta.pagination);
  return {
    resources: Array.isArray(body.resources) ? body.resources : [],
    total: numberOf(pagination, 'total'),
    after: textOf(pagination, 'after') ?? undefined,
  };
}

export function objectsIn(answer: FalconAnswer): readonly JsonObject[] {
  return objectsOf(answer.resources);
}

export function idsIn(answer: FalconAnswer): readonly string[] {
  return textsOf(answer.resources);
}

/**
 * `field:'value'` of Falcon Query Language. The value stands between quotes, so what could end it or is a wildcard is
 * refused, not escaped: no id, name or address of Falcon holds such characters.
 */
export function filterTerm(field: string, value: string, operator: '' | '>=' = ''): string {
  if (/^[\w .:@/-]{1,300}$/.test(value)) return `${field}:${operator}'${value}'`;
  throw new VendorError('VENDOR_REJECTED', `"${field}" has characters that ${FALCON} cannot search for.`);
}

function falconUrl(config: JsonObject): string {
  return baseUrl(config, FALCON_URL);
}

/** The first of the envelope's errors: its number is an HTTP status, also inside a 200. */
function falconFailure({ body }: VendorAnswer): StatedFailure | undefined {
  const [error] = objectsOf(objectOf(body).errors);
  if (error === undefined) return undefined;
  const code = codeForStatus(numberOf(error, 'code') ?? 0);
  const detail = textOf(error, 'message') ?? '';
  return { detail, ...(code === undefined ? {} : { code }) };
}
