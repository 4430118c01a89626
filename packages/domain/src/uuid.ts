const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A uuid in the standard 8-4-4-4-12 hex form (spec §5), of either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
