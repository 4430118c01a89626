/** Orders to a terminal, ends of lines it knows and JSON does not escape, and what turns the direction of a text. */
const ORDERS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A line as a terminal may have it: what events, vendors and files bring along is seen and not obeyed. Lines of JSON stay
 * the same JSON, since the escape is JSON's own.
 */
export function terminalText(line: string): string {
  return line.replaceAll(ORDERS, (order) =>
    order === '\n' || order === '\t' ? order : `\\u${order.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
