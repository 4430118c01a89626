/** A value of a case or event as one line of text; an empty one is a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
