/** Signature version 4 as AWS checks it: made anew from the request as it arrived, and compared. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type SignedRequest = {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** What is known of an access key; a session has a token and an end. */
export type KnownKey = { readonly secret: string; readonly token?: string; readonly expiresMs?: number };

export type SignatureProblem = 'missing' | 'unknown_key' | 'expired_token' | 'stale' | 'mismatch';

export type SignatureCheck =
  | { readonly problem: SignatureProblem }
  | { readonly problem?: undefined; readonly accessKeyId: string; readonly service: string; readonly region: string };

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(\w{16,128})\/(\d{8})\/([\w-]{1,40})\/([\w-]{1,40})\/aws4_request, ?SignedHeaders=([a-z0-9;-]{1,500}), ?Signature=([0-9a-f]{64})$/;
const AMZ_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const MAX_SKEW_MS = 900_000;

export function checkSignature(
  request: SignedRequest,
  { keyOf, now }: { keyOf: (accessKeyId: string) => KnownKey | undefined; now: Date },
): SignatureCheck {
  const parts = AUTHORIZATION.exec(request.headers.authorization ?? '');
  const date = String(request.headers['x-amz-date'] ?? '');
  const sentMs = timeOf(date);
  if (parts === null || Number.isNaN(sentMs)) return { problem: 'missing' };
  const [, accessKeyId = '', day = '', region = '', service = '', names = '', signature = ''] = parts;
  const key = keyOf(accessKeyId);
  if (key === undefined || key.token !== request.headers['x-amz-security-token']) return { problem: 'unknown_key' };
  if (key.expiresMs !== undefined && key.expiresMs <= now.getTime()) return { problem: 'expired_token' };
  if (Math.abs(now.getTime() - sentMs) > MAX_SKEW_MS || !date.startsWith(day)) return { problem: 'stale' };
  const signed = names.split(';');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonicalRequest(request, signed))].join('\n');
  const expected = hmac(signingKey(key.secret, [day, region, service]), text);
  const isSame = timingSafeEqual(expected, Buffer.from(signature, 'hex'));
  if (!isSame || !coversAll(request, signed)) return { problem: 'mismatch' };
  return { accessKeyId, service, region };
}

/** Host and every header of AWS's own must be signed, and the body must be the one that was hashed. */
function coversAll({ headers, body }: SignedRequest, signed: readonly string[]): boolean {
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  return needed.every((name) => signed.includes(name)) && headers['x-amz-content-sha256'] === sha256(body);
}

function canonicalRequest({ method, url, headers, body }: SignedRequest, signed: readonly string[]): string {
  const [path = '', query = ''] = url.split('?', 2);
  const lines = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const canonicalPath = path.split('/').map(encode).join('/');
  return [method, canonicalPath, canonicalQuery(query), lines.join(''), signed.join(';'), sha256(body)].join('\n');
}

function canonicalQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function signingKey(secret: string, scope: readonly string[]): Buffer {
  return [...scope, 'aws4_request'].reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function timeOf(date: string): number {
  const parts = AMZ_DATE.exec(date);
  if (parts === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
