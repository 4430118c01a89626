import type { StatedFailure, VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import type { VendorErrorCode } from '@airdeck/connector-kit/vendor-error';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf } from '../answer-fields.ts';
import { readXml, xmlChild, xmlText } from '../xml.ts';

/** Codes that say more than their HTTP status; what is not here goes by the status. */
const codes: Readonly<Record<string, VendorErrorCode>> = {
  AccessDenied: 'VENDOR_PERMISSION_MISSING',
  AccessDeniedException: 'VENDOR_PERMISSION_MISSING',
  UnauthorizedOperation: 'VENDOR_PERMISSION_MISSING',
  ExpiredToken: 'VENDOR_CREDENTIALS_REFUSED',
  ExpiredTokenException: 'VENDOR_CREDENTIALS_REFUSED',
  IncompleteSignature: 'VENDOR_CREDENTIALS_REFUSED',
  InvalidClientTokenId: 'VENDOR_CREDENTIALS_REFUSED',
  InvalidSignatureException: 'VENDOR_CREDENTIALS_REFUSED',
  MissingAuthenticationToken: 'VENDOR_CREDENTIALS_REFUSED',
  MissingAuthenticationTokenException: 'VENDOR_CREDENTIALS_REFUSED',
  SignatureDoesNotMatch: 'VENDOR_CREDENTIALS_REFUSED',
  UnrecognizedClientException: 'VENDOR_CREDENTIALS_REFUSED',
  NoSuchEntity: 'VENDOR_NOT_FOUND',
  ResourceNotFoundException: 'VENDOR_NOT_FOUND',
  ConcurrentModification: 'VENDOR_CONFLICT',
  EntityTemporarilyUnmodifiable: 'VENDOR_CONFLICT',
  LimitExceeded: 'VENDOR_CONFLICT',
  RequestLimitExceeded: 'VENDOR_RATE_LIMITED',
  Throttling: 'VENDOR_RATE_LIMITED',
  ThrottlingException: 'VENDOR_RATE_LIMITED',
  TooManyRequestsException: 'VENDOR_RATE_LIMITED',
  InternalFailure: 'VENDOR_UNAVAILABLE',
  InternalServerErrorException: 'VENDOR_UNAVAILABLE',
  ServiceFailure: 'VENDOR_UNAVAILABLE',
  ServiceUnavailable: 'VENDOR_UNAVAILABLE',
};

/** Failures of all protocols AWS speaks: a `__type` or header beside JSON, an `ErrorResponse` in XML. */
export function awsFailure(answer: VendorAnswer): StatedFailure | undefined {
  const stated = statedInJson(answer) ?? statedInXml(answer);
  if (stated === undefined) return undefined;
  const code = Object.hasOwn(codes, stated.name) ? codes[stated.name] : undefined;
  const detail = [stated.name, stated.message].filter((text) => text !== null && text !== '').join(': ');
  return { detail, ...(code === undefined ? {} : { code }) };
}

type Stated = { readonly name: string; readonly message: string | null };

function statedInJson({ body, headers }: VendorAnswer): Stated | undefined {
  const error = objectOf(body);
  // `namespace#Name` in the body, `Name:address` in the header.
  const name = (textOf(error, '__type') ?? headers['x-amzn-errortype'])?.replace(/^.*#/, '').replace(/:.*$/, '');
  if (name === undefined || name === '') return undefined;
  return { name, message: textOf(error, 'message') ?? textOf(error, 'Message') };
}

function statedInXml({ text }: VendorAnswer): Stated | undefined {
  if (!text.startsWith('<')) return undefined;
  const root = readXml(text);
  if (root?.name !== 'ErrorResponse') return undefined;
  const error = xmlChild(root, 'Error');
  return { name: xmlText(error, 'Code') ?? 'Unknown', message: xmlText(error, 'Message') };
}
