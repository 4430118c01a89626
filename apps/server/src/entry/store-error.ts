import type { FilesBucket } from '../config/files-bucket.ts';
import { FilesUnavailable, S3Refusal } from '../modules/files/s3-bucket.ts';
import { EventsError } from '../storage/events-store.ts';
import { StorageStartError } from '../storage/storage-start-error.ts';

/** Node's codes for a certificate of somebody it does not know. */
const UNKNOWN_ISSUER = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What `pg` says of a server it could not get through to; it gives these no code. */
const NOT_CONNECTED = new Map([
  [
    'The server does not support SSL connections',
    'it offers no TLS, which the address asks for. Switch it on there (ssl = on).',
  ],
  ['There was an error establishing an SSL connection', 'what answers there is no PostgreSQL.'],
  ['timeout expired', 'it does not answer in time.'],
  ['Connection terminated unexpectedly', 'it ended the connection.'],
]);

/**
 * Names the variable when a store that was pointed to cannot be used, with where it is but never its password. Other
 * errors, and those of an embedded store (no address), come back as they are.
 */
export function explainStoreError(
  error: unknown,
  at: { variable: 'DATABASE_URL' | 'EVENTS_URL'; address: string | undefined },
): unknown {
  if (at.address === undefined || error instanceof StorageStartError) return error;
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const { host, pathname } = new URL(at.address);
  return new StorageStartError(
    'STORE_UNREACHABLE',
    `The store at ${at.variable} (${host}${pathname}) cannot be used: ${reason}`,
    { cause: error },
  );
}

/** The same for the bucket of FILES_URL. */
export function explainFilesError(error: unknown, { origin, bucket }: FilesBucket): unknown {
  const said = error instanceof FilesUnavailable ? error.cause : error;
  // fetch says only that it failed; why is in the cause.
  const reason = said instanceof S3Refusal ? said.message : reasonOf(said instanceof Error ? said.cause : said);
  return new StorageStartError(
    'STORE_UNREACHABLE',
    `The bucket at FILES_URL (${new URL(origin).host}/${bucket}) cannot be used: ${reason ?? 'it does not answer.'}`,
    { cause: error },
  );
}

/** What the system or the store said; undefined for a mistake of our own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof EventsError && error.cause !== undefined) return reasonOf(error.cause) ?? error.message;
  if (!(error instanceof Error)) return undefined;
  // A name with several addresses fails once for each; what they have in common is the code.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!('code' in error) || typeof error.code !== 'string') return NOT_CONNECTED.get(error.message);
  if (UNKNOWN_ISSUER.has(error.code)) {
    return `nobody known here vouches for its certificate (${error.message}). Put the certificate of its issuer into a file and name that in NODE_EXTRA_CA_CERTS.`;
  }
  return error.message === '' ? error.code : error.message;
}
