import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignatureProblem } from './aws-signature.ts';
import type { VendorFailures } from './disturbances.ts';

const REQUEST_ID = '11111111-2222-4333-8444-555555555555';

/** An error as REST and JSON services answer it; `asQueryError` makes of it what IAM and STS answer. */
export function awsError(reply: FastifyReply, status: number, type: string, message: string): FastifyReply {
  const { headers, body } = failure(status, type, message);
  return reply.code(status).headers(headers).send(body);
}

function failure(status: number, type: string, message: string) {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': type, 'x-amzn-requestid': REQUEST_ID };
  return { status, headers, body: { __type: type, message } };
}

export const awsFailures: VendorFailures = {
  unauthorized: failure(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'),
  forbidden: failure(
    403,
    'AccessDeniedException',
    'User: arn:aws:iam::123456789012:user/airdeck is not authorized to perform this action',
  ),
  rate_limited: failure(429, 'TooManyRequestsException', 'Rate exceeded'),
  error_in_200: failure(200, 'InternalServerErrorException', 'An internal error occurred.'),
};

/** The names and statuses of the same failures in the query protocol. */
const queryErrors: Readonly<Record<string, { readonly code: string; readonly status?: number }>> = {
  UnrecognizedClientException: { code: 'InvalidClientTokenId' },
  InvalidSignatureException: { code: 'SignatureDoesNotMatch' },
  MissingAuthenticationTokenException: { code: 'MissingAuthenticationToken' },
  ExpiredTokenException: { code: 'ExpiredToken' },
  AccessDeniedException: { code: 'AccessDenied' },
  TooManyRequestsException: { code: 'Throttling', status: 400 },
  InternalServerErrorException: { code: 'ServiceFailure' },
};

export function isQueryCall(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
}

/** A failure of a form call in XML. Whatever is no failure of AWS goes out as it is. */
export function asQueryError(reply: FastifyReply, payload: unknown): unknown {
  const type = reply.getHeader('x-amzn-errortype');
  if (typeof type !== 'string' || typeof payload !== 'string') return payload;
  const { code, status } = queryErrors[type] ?? { code: type };
  const { message } = JSON.parse(payload) as { message: string };
  if (status !== undefined) reply.code(status);
  reply.removeHeader('x-amzn-errortype').removeHeader('content-length').type('text/xml');
  return [
    '<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type>',
    `<Code>${xml(code)}</Code><Message>${xml(message)}</Message></Error>`,
    `<RequestId>${REQUEST_ID}</RequestId></ErrorResponse>`,
  ].join('');
}

/** An answer of the query protocol; `result` is XML. */
export function queryAnswer(reply: FastifyReply, { action, namespace, result }: QueryAnswer): FastifyReply {
  const inner = result === undefined ? '' : `<${action}Result>${result}</${action}Result>`;
  return reply
    .type('text/xml')
    .send(
      `<${action}Response xmlns="${namespace}">${inner}<ResponseMetadata><RequestId>${REQUEST_ID}</RequestId></ResponseMetadata></${action}Response>`,
    );
}

export type QueryAnswer = { readonly action: string; readonly namespace: string; readonly result?: string };

export function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Bodies are kept as text, because signatures are over their bytes. */
export function jsonBody({ body }: { readonly body: unknown }): unknown {
  try {
    return JSON.parse(String(body)) as unknown;
  } catch {
    return undefined;
  }
}

export const signatureErrors: Readonly<Record<SignatureProblem, readonly [type: string, message: string]>> = {
  missing: ['MissingAuthenticationTokenException', 'Missing Authentication Token'],
  unknown_key: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  expired_token: ['ExpiredTokenException', 'The security token included in the request is expired'],
  stale: ['InvalidSignatureException', 'Signature expired: the request is too old or too new'],
  mismatch: [
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
  ],
};
