const MAX_VALUES = 500;

/** Values of one CSV line. Quotes as in RFC 4180; a quote that is never closed reaches to the end of the line. */
export function csvValues(text: string): string[] {
  if (!text.includes('"')) return text.split(',', MAX_VALUES);
  const values: string[] = [];
  let at = 0;
  while (at <= text.length && values.length < MAX_VALUES) {
    const { value, end } = text[at] === '"' ? quotedValue(text, at + 1) : bareValue(text, at);
    values.push(value);
    at = end + 1;
  }
  return values;
}

function bareValue(text: string, start: number): { value: string; end: number } {
  const comma = text.indexOf(',', start);
  const end = comma === -1 ? text.length : comma;
  return { value: text.slice(start, end), end };
}

/** `end` is the comma behind the closing quote; what stands between the two belongs to the value. */
function quotedValue(text: string, start: number): { value: string; end: number } {
  let value = '';
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return { value: value + text.slice(from), end: text.length };
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const rest = bareValue(text, quote + 1);
      return { value: value + rest.value, end: rest.end };
    }
    value += '"';
    from = quote + 2;
  }
}

/** Values under their names; what has no name is `column_<number>`, counted from 1. Empty values are left out. */
export function namedValues(names: readonly string[], values: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [index, value] of values.entries()) {
    if (value !== '') fields[names[index] ?? `column_${index + 1}`] = value;
  }
  return fields;
}
