const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isFileId(text: string): boolean {
  return ID.test(text);
}

/** The id itself; throws for everything that could lead elsewhere. */
export function checkFileId(id: string): string {
  if (!isFileId(id)) throw new Error('Files are named by ids only.');
  return id;
}
