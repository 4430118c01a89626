import { join } from 'node:path';
import type { FilesBucket } from '../../config/files-bucket.ts';
import type { Files } from './files-port.ts';
import { createFolderFiles } from './folder-files.ts';
import { createS3Bucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';

/** Each kind has a folder or prefix of its own: the sweep of one never sees the files of another. */
export const fileKinds = ['files', 'reports', 'executive-reports'] as const;
export type FileKind = (typeof fileKinds)[number];

export function createFileStores(at: {
  dataDir: string;
  filesBucket: FilesBucket | undefined;
}): (kind: FileKind) => Files {
  if (at.filesBucket === undefined) return (kind) => createFolderFiles(join(at.dataDir, kind));
  const bucket = createS3Bucket(at.filesBucket);
  return (prefix) => createS3Files(bucket, { prefix });
}
