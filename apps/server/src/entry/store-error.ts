import type { FilesBucket } from '../config/files-bucket.ts';
import { FilesUnavailable, S3Refusal } from '../modules/files/s3-bucket.ts';
import { EventsError } from '../storage/events-store.ts';
import { StorageStartError } from '../storage/storage-start-error.ts';

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
  if ('code' in error && typeof error.code === 'string') return error.message === '' ? error.code : error.message;
  return undefined;
}
