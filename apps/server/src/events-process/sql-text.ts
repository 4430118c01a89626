/** Reading just enough of ClickHouse's SQL to pass it on safely: where statements end, and what an INSERT names. */

/**
 * Whether the text holds a second statement. ClickHouse's HTTP interface refuses several statements in one request, and
 * the embedded engine would run them all.
 */
export function hasSecondStatement(sql: string): boolean {
  let at = 0;
  while (at < sql.length) {
    if (sql[at] === ';') return !isBlank(sql.slice(at + 1));
    at = skipToken(sql, at);
  }
  return false;
}

/** The statement without comments, with empty string literals and with bare identifiers: what remains is code. */
export function codeOf(sql: string): string {
  let code = '';
  for (let at = 0; at < sql.length; ) {
    const end = skipToken(sql, at);
    const token = sql.slice(at, end);
    if (token.startsWith("'")) code += "''";
    else if (token.startsWith('`') || token.startsWith('"')) code += token.slice(1, -1);
    else code += end === at + 1 ? token : ' ';
    at = end;
  }
  return code;
}

/** Index after the quoted text, comment or single character that starts at `at`. */
function skipToken(sql: string, at: number): number {
  const char = sql[at];
  if (char === "'" || char === '"' || char === '`') return skipQuoted(sql, at, char);
  if (sql.startsWith('--', at) || sql.startsWith('#!', at) || sql.startsWith('# ', at)) return after(sql, '\n', at);
  if (sql.startsWith('/*', at)) return after(sql, '*/', at + 2);
  return at + 1;
}

function skipQuoted(sql: string, start: number, quote: string): number {
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === '\\') at++;
    else if (sql[at] === quote) return at + 1;
  }
  return sql.length;
}

function after(sql: string, text: string, from: number): number {
  const found = sql.indexOf(text, from);
  return found === -1 ? sql.length : found + text.length;
}

function isBlank(sql: string): boolean {
  let at = 0;
  while (at < sql.length) {
    const char = sql[at] ?? '';
    if (char === ';' || /\s/.test(char)) at++;
    else if (sql.startsWith('--', at)) at = after(sql, '\n', at);
    else if (sql.startsWith('/*', at)) at = after(sql, '*/', at + 2);
    else return false;
  }
  return true;
}

export type PlainInsert = { table: string; columns?: string[]; format: 'JSONEachRow' | 'JSONCompactEachRow' };

const INSERT =
  /^\s*insert\s+into\s+(?:table\s+)?([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)?)\s*(?:\(([A-Za-z0-9_,\s]+)\))?\s*format\s+(JSONEachRow|JSONCompactEachRow)\s*;?\s*$/i;

/** The INSERT statements whose data can be handed to the engine as bytes, without becoming a string on our heap. */
export function parsePlainInsert(sql: string): PlainInsert | undefined {
  const [, table, columns, format] = INSERT.exec(sql) ?? [];
  if (table === undefined || format === undefined) return undefined;
  const canonical = format.toLowerCase() === 'jsoneachrow' ? 'JSONEachRow' : 'JSONCompactEachRow';
  const names = columns?.split(',').map((name) => name.trim());
  return names === undefined ? { table, format: canonical } : { table, columns: names, format: canonical };
}

const READING = /^\s*(?:select|with|show|describe|desc|explain|exists)\b/i;

export function isReading(sql: string): boolean {
  return READING.test(sql);
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

export function quoteLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Whether the statement adds rows. */
export function isInsert(sql: string): boolean {
  return /^\s*insert\b/i.test(codeOf(sql.slice(0, 1_000)));
}
