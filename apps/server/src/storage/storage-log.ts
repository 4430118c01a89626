type Write = (fields: object, message: string) => void;

/** What the stores need of the logger. */
export interface StorageLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
