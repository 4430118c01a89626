/** Several texts in one parameter, between commas. A comma or backslash of a text itself has a backslash before it. */
export function listText(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(',');
}

/** Between the texts while they are read: a parameter holds none. */
const NUL = '\0';

/** The texts again; a backslash before anything else is only that, as people type one. */
export function listValues(text: string): string[] {
  return text.replaceAll(/\\([\\,])|,/g, (_found, own?: string) => own ?? NUL).split(NUL);
}
