/** A backup or restore cannot go on. The message is for the operator: what is wrong, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
