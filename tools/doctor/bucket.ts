import type { FilesBucket } from '../../apps/server/src/config/files-bucket.ts';
import { checkFiles } from '../../apps/server/src/entry/stores.ts';
import { StorageStartError } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

/** The bucket answers and lets us in, by the check of the start itself. */
export async function checkBucket(bucket: FilesBucket): Promise<Finding> {
  try {
    await checkFiles(bucket);
    return found('FILES_URL', undefined, 'the bucket answers');
  } catch (error) {
    if (!(error instanceof StorageStartError)) throw error;
    return found('FILES_URL', error.message, '');
  }
}
