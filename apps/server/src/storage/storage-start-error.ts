export type StorageStartCode =
  | 'DATA_DIR_NOT_OWNED'
  | 'DATA_DIR_NOT_WRITABLE'
  | 'DATA_DIR_IN_USE'
  | 'DISK_FULL'
  | 'BINARY_MISSING'
  | 'BINARY_NOT_ACCESSIBLE'
  | 'CLUSTER_DAMAGED'
  | 'STORE_START_FAILED'
  | 'RECOVERY_LOG_ENDED'
  | 'STORE_START_ABORTED'
  | 'STORE_UNREACHABLE'
  | 'STORE_LOST'
  | 'DATABASE_OF_ANOTHER'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_FAILED'
  | 'ROLE_MISSING';

/** A store could not be started, or ended. The message is one sentence for the person who started the program. */
export class StorageStartError extends Error {
  readonly code: StorageStartCode;

  constructor(code: StorageStartCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StorageStartError';
    this.code = code;
  }
}

/** Turns what the file system refused into a sentence; other errors come back as they are. */
export function explainFileError(error: unknown, path: string): unknown {
  switch (systemErrorCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StorageStartError('DATA_DIR_NOT_WRITABLE', `The folder ${path} cannot be written to.`, {
        cause: error,
      });
    case 'ENOTDIR':
    case 'EEXIST':
      return new StorageStartError('DATA_DIR_NOT_WRITABLE', `${path} is not a folder.`, { cause: error });
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path, error);
    default:
      return error;
  }
}

export function diskFull(path: string, cause?: unknown): StorageStartError {
  return new StorageStartError('DISK_FULL', `The disk that holds ${path} is full; free some space and start again.`, {
    cause,
  });
}

export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
