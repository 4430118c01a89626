import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { VendorAnswer, VendorCall } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { readXml, type XmlElement, xmlChild } from '../xml.ts';
import { createAwsCredentials } from './aws-credentials.ts';
import { awsFailure } from './aws-failure.ts';
import { type AwsService, awsEndpoint } from './aws-hosts.ts';
import { type AwsCredentials, signingEgress } from './aws-signing.ts';

export const AWS = 'AWS';

const credentialSource = createAwsCredentials((context, credentials, parameters) =>
  sendQuery(context, credentials, { service: 'sts', action: 'AssumeRole', parameters, reads: true }),
);

/** A call of a REST service; the answer is a JSON object. Throws `VendorError` or `EgressError`. */
export function awsObject(
  context: ConnectorContext,
  service: 'guardduty',
  call: Omit<VendorCall, 'headers'>,
): Promise<JsonObject> {
  return withSession(context, isRepeatable(call), async (credentials) =>
    objectIn(await send(context, credentials, { service, call })),
  );
}

/** A call of CloudTrail, which names its operation in a header. */
export function awsTarget(context: ConnectorContext, operation: 'LookupEvents', json: JsonObject): Promise<JsonObject> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': `CloudTrail_20131101.${operation}`,
  };
  const call: VendorCall = { method: 'POST', path: '/', json, headers, reads: true };
  return withSession(context, true, async (credentials) =>
    objectIn(await send(context, credentials, { service: 'cloudtrail', call })),
  );
}

export type AwsQuery = {
  readonly service: 'iam' | 'sts';
  readonly action: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reads?: boolean;
  /** Twice leaves AWS as once would. */
  readonly idempotent?: boolean;
};

/** A call of a service that takes forms and answers in XML. Resolves to its result element, empty where it has none. */
export function awsQuery(context: ConnectorContext, query: AwsQuery): Promise<XmlElement> {
  return withSession(context, isRepeatable(query), (credentials) => sendQuery(context, credentials, query));
}

const versions = { iam: '2010-05-08', sts: '2011-06-15' } as const;

async function sendQuery(context: ConnectorContext, credentials: AwsCredentials, query: AwsQuery): Promise<XmlElement> {
  const { service, action, parameters } = query;
  const { text, status } = await send(context, credentials, {
    service,
    call: {
      method: 'POST',
      path: '/',
      form: { Action: action, Version: versions[service], ...parameters },
      headers: { accept: 'text/xml' },
      answers: 'text',
      ...(query.reads === true ? { reads: true } : {}),
    },
  });
  const root = readXml(text);
  if (root?.name !== `${action}Response`) throw unreadable(status);
  return xmlChild(root, `${action}Result`) ?? root;
}

async function send(
  context: ConnectorContext,
  credentials: AwsCredentials,
  { service, call }: { service: AwsService; call: VendorCall },
): Promise<VendorAnswer> {
  const { baseUrl, region } = awsEndpoint(context.config, service);
  const { sessionToken } = credentials;
  const client = createVendorClient({
    vendor: AWS,
    baseUrl: () => baseUrl,
    // The signature is made where the request leaves. Said here as well, so that the token is taken out of AWS's own words.
    authorize: () => (sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
    failure: awsFailure,
  });
  const signing = { credentials, service, region, now: context.now };
  return client.call({ ...context, egress: signingEgress(context.egress, signing) }, call);
}

/** Once more with a fresh session when AWS refuses the kept one: it may have been ended before its time. */
async function withSession<T>(
  context: ConnectorContext,
  mayRepeat: boolean,
  work: (credentials: AwsCredentials) => Promise<T>,
): Promise<T> {
  const credentials = await credentialSource.of(context);
  try {
    return await work(credentials);
  } catch (error) {
    const isRefused = error instanceof VendorError && error.code === 'VENDOR_CREDENTIALS_REFUSED';
    if (!isRefused || !credentialSource.forget(context, credentials) || !mayRepeat) throw error;
    return work(await credentialSource.of(context));
  }
}

function isRepeatable({ method, reads, idempotent }: Pick<VendorCall, 'method' | 'reads' | 'idempotent'>): boolean {
  return method === 'GET' || reads === true || idempotent === true;
}

function objectIn({ body, status }: VendorAnswer): JsonObject {
  if (isJsonObject(body)) return body;
  throw unreadable(status);
}

function unreadable(status: number): VendorError {
  return new VendorError(
    'VENDOR_ANSWER_UNREADABLE',
    `${AWS} answered with something that is not its API (HTTP ${status}). Check region and endpoint.`,
  );
}
