/** Reading what callers sent, for stand-ins: anything may arrive, nothing may throw. */

export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first value of a query parameter that may be repeated. */
export function firstText(value: unknown): string {
  return textOf(Array.isArray(value) ? value[0] : value);
}

/** A whole number of a query or body, or the fallback when it is absent or is none. */
export function integerOf(value: unknown, fallback: number): number {
  const number =
    typeof value === 'number' ? value : /^-?\d{1,9}$/.test(firstText(value)) ? Number(firstText(value)) : Number.NaN;
  return Number.isInteger(number) ? number : fallback;
}
