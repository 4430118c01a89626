/** A bucket of an S3-compatible store and the way in. */
export type FilesBucket = {
  /** Scheme, host and port; nothing else is ever called. */
  readonly origin: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
};

export const FILES_URL_EXAMPLE = 's3://access-key:secret@host/bucket?region=eu-central-1';

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;

/**
 * Bucket out of `s3://access-key:secret@host[:port]/bucket[?region=…&tls=false]`; keys with `/`, `+` or `@` in them are
 * percent-encoded. Undefined for everything else, other parameters included.
 */
export function filesBucketOf(text: string): FilesBucket | undefined {
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  const bucket = pathname.replace(/^\/|\/$/g, '');
  const region = searchParams.get('region') ?? 'us-east-1';
  const tls = searchParams.get('tls') ?? 'true';
  const known = [...searchParams.keys()].every((name) => name === 'region' || name === 'tls');
  const accessKey = decoded(username);
  const secretKey = decoded(password);
  if (!accessKey || !secretKey || hostname === '' || hash !== '' || !known) return undefined;
  if (!BUCKET.test(bucket) || !REGION.test(region) || !['true', 'false'].includes(tls)) return undefined;
  const address = `${tls === 'true' ? 'https' : 'http'}://${hostname}${port === '' ? '' : `:${port}`}`;
  return URL.canParse(address) ? { origin: new URL(address).origin, bucket, region, accessKey, secretKey } : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
