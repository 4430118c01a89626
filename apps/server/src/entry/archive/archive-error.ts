import type { ArchiveStateName } from '@airdeck/contracts/operations/schema';
import { systemErrorCode } from '../../storage/storage-start-error.ts';

/** Why the archive cannot go on, as people are told. */
export type ArchiveTrouble = Exclude<ArchiveStateName, 'working' | 'starting' | 'late'>;

const messages: Record<ArchiveTrouble, string> = {
  away: 'The folder of the archive is not there, or holds no archive although it did: its disk is not mounted.',
  foreign: 'The folder holds something else than the archive of this installation: name an empty folder.',
  full: 'The disk of the archive is full.',
  not_writable: 'The folder of the archive cannot be written to.',
  damaged: 'A file of the archive is not what was written.',
  failing: 'The archive could not be written.',
};

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly trouble: ArchiveTrouble;
  /** For the log: which file. */
  readonly detail: string | undefined;

  constructor(trouble: ArchiveTrouble, detail?: string) {
    super(messages[trouble]);
    this.trouble = trouble;
    this.detail = detail;
  }
}

const byCode: Readonly<Record<string, ArchiveTrouble>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  ENOENT: 'away',
  ENODEV: 'away',
  ESTALE: 'away',
  ENOTCONN: 'away',
  EHOSTDOWN: 'away',
  EACCES: 'not_writable',
  EPERM: 'not_writable',
  EROFS: 'not_writable',
};

export function troubleOf(error: unknown): ArchiveTrouble {
  if (error instanceof ArchiveError) return error.trouble;
  return byCode[String(systemErrorCode(error))] ?? 'failing';
}
