/**
 * CSV as RFC 4180 has it: commas, CRLF, quotes doubled. It begins with the mark of UTF-8, because Excel takes a file without
 * one for the code page of the machine; everything else skips it.
 *
 * Events hold what attackers wrote, and a spreadsheet runs a cell that begins like a formula. Such a cell gets an
 * apostrophe in front. So does what would begin a cell for a program that is set to other separators: there our quotes do
 * not hold a text together. Who needs the very bytes takes NDJSON or Parquet.
 */
const BYTE_ORDER_MARK = '\uFEFF';

// The wide forms are what Excel takes for the plain ones in East Asian locales.
const FORMULA = /(?<=^|[;\t|\r\n])([ "'\u00a0]*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])|^(?=\n)/g;
// Few texts are looked at more closely.
const MAY_BE_FORMULA = /^[ "'\u00a0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]|[;\t|\r\n]/;

export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(columns);
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

export function csvCell(text: string): string {
  const safe = MAY_BE_FORMULA.test(text) ? text.replace(FORMULA, "$1'") : text;
  return /[",;\t|\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
