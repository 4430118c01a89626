import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseQuery } from './parse.ts';
import { colourQuery } from './query-colours.ts';
import { completionAt } from './query-completion.ts';
import { writeTerm } from './write-term.ts';

/** Completes at the bar in the text. */
function at(marked: string) {
  const cursor = marked.indexOf('|');
  return completionAt(marked.replace('|', ''), cursor);
}

describe('completion', () => {
  it.each([
    ['|', ['field'], undefined, '', 0, 0],
    ['us|', ['field'], undefined, 'us', 0, 2],
    ['u|ser', ['field'], undefined, 'u', 0, 4],
    ['us|er:x', ['field'], undefined, 'us', 0, 4],
    ['user:|', ['value'], 'user', '', 5, 5],
    ['user:ro|', ['value'], 'user', 'ro', 5, 7],
    ['user:"jo|', ['value'], 'user', 'jo', 5, 8],
    ['user:"jo|hn"', ['value'], 'user', 'jo', 5, 11],
    ['user:"john"|', ['operator', 'field'], undefined, '', 11, 11],
    ['user:root |', ['operator', 'field'], undefined, '', 10, 10],
    ['user:root A|', ['operator', 'field'], undefined, 'A', 10, 11],
    ['user:root AND|', ['operator', 'field'], undefined, 'AND', 10, 13],
    ['user:root AND |', ['field'], undefined, '', 14, 14],
    ['user:root ho|', ['field', 'operator'], undefined, 'ho', 10, 12],
    ['NOT |', ['field'], undefined, '', 4, 4],
    ['-us|', ['field'], undefined, 'us', 1, 3],
    ['user:(ro|', ['value'], 'user', 'ro', 6, 8],
    ['user:(root OR |', ['value'], 'user', '', 14, 14],
    ['user:(root |', ['operator', 'value'], 'user', '', 11, 11],
    ['user:(root) |', ['operator', 'field'], undefined, '', 12, 12],
    ['(user:root OR h|', ['field'], undefined, 'h', 14, 15],
    ['src_ip:(2001:db8::7 OR fe80::1|', ['value'], 'src_ip', 'fe80::1', 23, 30],
    ['_exists_:us|', ['name'], undefined, 'us', 9, 11],
    ['_exists_:|', ['name'], undefined, '', 9, 9],
    ['_exists_:(us|', ['name'], undefined, 'us', 10, 12],
    ['_exists_:user us|', ['field', 'operator'], undefined, 'us', 14, 16],
    ['port:[1 TO 5|]', [], undefined, '5', 11, 12],
    ['"free te|xt"', [], undefined, 'free te', 0, 11],
    ['user:/ad|m/', [], undefined, '/ad', 5, 10],
    ['a.b.c:|', ['value'], 'a.b.c', '', 6, 6],
  ])('%s', (marked, offers, field, typed, start, end) => {
    expect(at(marked)).toEqual({ offers, field, typed, replace: { start, end } });
  });
});

describe('colours', () => {
  it('tell the parts of a query apart, also when it is not finished', () => {
    const text = 'user:ro*t AND port:[1 TO 5] -"x y" OR a:/b/ (';
    expect(colourQuery(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)).toEqual([
      ...['field user', 'punctuation :', 'word ro', 'wildcard *', 'word t', 'space  ', 'operator AND', 'space  '],
      ...[
        'field port',
        'punctuation :',
        'range [',
        'number 1',
        'space  ',
        'range TO',
        'space  ',
        'number 5',
        'range ]',
      ],
      ...['space  ', 'operator -', 'phrase "x y"', 'space  ', 'operator OR', 'space  '],
      ...['field a', 'punctuation :', 'regex /b/', 'space  ', 'punctuation ('],
    ]);
    expect(colourQuery('a:(2001:db8::7)').map(({ kind }) => kind)).toEqual([
      ...['field', 'punctuation', 'punctuation', 'word', 'punctuation'],
    ]);
    expect(colourQuery('user:"open').at(-1)).toEqual({ kind: 'error', start: 5, end: 10 });
  });
});

const broken = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('"', '\\', '*', '(', ')', '[', ']', ':', '/', 'a', ' ', 'AND', '-', '\ud83d', '~'))
    .map((all) => all.join('')),
);

test('any text is coloured without gaps and can be completed anywhere', () => {
  fc.assert(
    fc.property(broken, fc.integer({ min: -1, max: 50 }), (text, cursor) => {
      const spans = colourQuery(text);
      expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      expect(spans.every(({ start }, index) => start === (spans[index - 1]?.end ?? 0))).toBe(true);
      const { replace } = completionAt(text, cursor);
      expect(replace.start).toBeGreaterThanOrEqual(0);
      expect(replace.end).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: 3_000 },
  );
});

test('a term written for a value means exactly this value, whatever characters it has', () => {
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((text) => !/[.`\0]/.test(text) && text !== '_exists_');
  fc.assert(
    fc.property(name, fc.oneof(broken, fc.constantFrom('AND', 'root', '-1', '10.0.0.1')), (field, value) => {
      const parsed = parseQuery(writeTerm(field, value));
      const clean = (text: string) => Buffer.from(text).toString();
      expect(parsed).toMatchObject({
        tree: { kind: 'term', field: clean(field), match: { kind: 'text', text: clean(value) } },
      });
    }),
    { numRuns: 2_000 },
  );
});
