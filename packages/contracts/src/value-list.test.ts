import { describe, expect, it } from 'vitest';
import { listText, listValues } from './value-list.ts';

describe('texts in one parameter', () => {
  it.each([
    [['okta', 'sshd'], 'okta,sshd'],
    [['logon, remote', 'other'], 'logon\\, remote,other'],
    [['C:\\', 'D:'], 'C:\\\\,D:'],
    [['a\\,b'], 'a\\\\\\,b'],
    [['', 'a', ''], ',a,'],
    [['a,'], 'a\\,'],
    [['müller 🙂'], 'müller 🙂'],
  ])('%j is %s, and comes back', (values, text) => {
    expect(listText(values)).toBe(text);
    expect(listValues(text)).toEqual(values);
  });

  it('is read as before where a backslash stands by itself', () => {
    expect(listValues('CORP\\ada,ben\\')).toEqual(['CORP\\ada', 'ben\\']);
    expect(listValues('')).toEqual(['']);
  });

  it('is read at once, however long it is', () => {
    expect(listValues('\\'.repeat(100_000))).toEqual(['\\'.repeat(50_000)]);
  });
});
