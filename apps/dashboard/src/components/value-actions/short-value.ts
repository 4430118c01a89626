const LENGTH = 60;

/** A value in the title of a dialog. */
export function shortValue(value: string): string {
  return value.length > LENGTH ? `${value.slice(0, LENGTH)}…` : value;
}
