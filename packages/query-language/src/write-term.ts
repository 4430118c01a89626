const PLAIN_NAME = /^[\p{L}_@][\p{L}\p{N}_@.-]*$/u;
const PLAIN_VALUE = /^[\p{L}\p{N}_@.][\p{L}\p{N}_@.-]*$/u;
const OPERATOR = /^(?:AND|OR|NOT)$/;

/** A field name as a query writes it, in quotes where it needs them. */
export function writeField(name: string): string {
  return PLAIN_NAME.test(name) && !OPERATOR.test(name) ? name : quote(name);
}

/** A value as a query writes it so that exactly this value is meant, in quotes where it needs them. */
export function writeValue(value: string): string {
  return PLAIN_VALUE.test(value) && !OPERATOR.test(value) ? value : quote(value);
}

/** `field:value` for exactly this value, for "only this value" and its opposite. */
export function writeTerm(field: string, value: string, { not = false }: { not?: boolean } = {}): string {
  return `${not ? 'NOT ' : ''}${writeField(field)}:${writeValue(value)}`;
}

function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}
