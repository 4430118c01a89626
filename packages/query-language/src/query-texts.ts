/**
 * Everything the language tells the person who wrote a query, by its reason. `message` says what is wrong, `suggestion`
 * what to do about it. Other languages are made of reasons, so one that exists keeps its meaning and its places.
 */
type QueryText = { readonly message: string; readonly suggestion?: string };

const quoteSpecials = 'Put text with special characters in quotes.';
const split = 'Split it into several searches.';

export const queryTexts = {
  QUERY_TOO_LONG: {
    message: 'The query has {length} characters; at most {maximum} can be searched.',
    suggestion: 'Search for fewer values at once.',
  },
  QUERY_TOO_LARGE: {
    message: 'The query asks for too much at once.',
    suggestion: 'Split it into several searches; several values of one field are best written as field:(a OR b).',
  },
  QUERY_TOO_DEEP: { message: 'Brackets and negations may be {maximum} deep.', suggestion: split },
  QUERY_TOO_MANY_TERMS: { message: 'A query may have {maximum} terms.', suggestion: split },
  QUERY_TOO_MANY_LEADING_WILDCARDS: {
    message: 'At most {maximum} terms may begin with a wildcard.',
    suggestion: split,
  },
  QUERY_UNREADABLE: { message: 'This cannot be read.' },
  QUERY_UNEXPECTED: { message: '{text} is not expected here.', suggestion: quoteSpecials },
  QUERY_NOTHING_BEFORE: {
    message: 'There is nothing before {name}.',
    suggestion: 'Add a term, or write "{name}" in quotes to search for the word.',
  },
  QUERY_NOTHING_BEHIND: {
    message: 'There is nothing behind {name}.',
    suggestion: 'Add a term, or write "{name}" in quotes to search for the word.',
  },
  QUERY_GROUP_EMPTY: {
    message: 'There is nothing in these brackets.',
    suggestion: 'Put a term in them, or remove them.',
  },
  QUERY_GROUP_UNCLOSED: {
    message: 'This bracket is never closed.',
    suggestion: 'Close it with ), or put the text in quotes to search for a bracket.',
  },
  QUERY_GROUP_UNOPENED: {
    message: 'This ) closes nothing.',
    suggestion: 'Remove it, or put the text in quotes to search for a bracket.',
  },
  QUERY_STRAY_SQUARE_BRACKET: {
    message: 'This ] closes nothing.',
    suggestion: 'Remove it, or write \\] to search for it.',
  },
  QUERY_STRAY_BRACE: { message: 'This } closes nothing.', suggestion: 'Remove it, or write \\} to search for it.' },
  QUERY_STRAY_NOT: {
    message: 'This ! stands alone.',
    suggestion: 'Write it right before what you exclude: !term.',
  },
  QUERY_STRAY_PLUS: {
    message: 'This + stands alone.',
    suggestion: 'Write it right before what you require: +term.',
  },
  QUERY_STRAY_MINUS: {
    message: 'This - stands alone.',
    suggestion: 'Write it right before what you exclude, or in quotes to search for it.',
  },
  QUERY_COLON_WITHOUT_FIELD: {
    message: 'There is no field before this colon.',
    suggestion: 'Write field:value, or \\: to search for a colon.',
  },
  QUERY_FUZZY_WORD: {
    message: 'Similar words (~) cannot be searched.',
    suggestion: 'Use the wildcards * and ?, or write \\~ to search for the character.',
  },
  QUERY_WEIGHTED_WORD: {
    message: 'Results are in order of time, so a weight (^) has no effect.',
    suggestion: 'Leave it out, or write \\^ to search for the character.',
  },
  QUERY_FUZZY_PHRASE: {
    message: 'Words near each other (~) cannot be searched.',
    suggestion: 'Search for each word with AND between them.',
  },
  QUERY_WEIGHTED_PHRASE: {
    message: 'Results are in order of time, so a weight (^) has no effect.',
    suggestion: 'Leave it out.',
  },
  QUERY_BACKSLASH_ALONE: {
    message: 'This backslash has nothing behind it.',
    suggestion: 'Write \\\\ to search for a backslash.',
  },
  QUERY_QUOTE_UNCLOSED: {
    message: 'This quote is never closed.',
    suggestion: 'Close it with ", or write \\" to search for a quote.',
  },
  QUERY_QUOTES_EMPTY: { message: 'There is nothing in these quotes.', suggestion: 'Put a text in them.' },
  QUERY_SLASH_ALONE: {
    message: 'A slash begins a regular expression, which ends with a second one.',
    suggestion: 'Put a path or an address in quotes, or write \\/ for a slash inside an expression.',
  },
  QUERY_FIELD_WILDCARD: {
    message: 'Names of fields take no wildcards.',
    suggestion: 'Name one field, or search without a field.',
  },
  QUERY_FIELD_TOO_LONG: { message: 'The name of a field has at most {maximum} characters.' },
  QUERY_FIELD_PART_EMPTY: {
    message: 'A part of this field name is empty.',
    suggestion: 'Write a path as first.second, without empty parts.',
  },
  QUERY_FIELD_CHARACTER: {
    message: 'No field has a name with this character.',
    suggestion: 'Check the name.',
  },
  QUERY_FIELD_TOO_MANY_PARTS: { message: 'A field name has at most {maximum} parts.' },
  QUERY_TERM_MISSING: {
    message: 'A term is missing here.',
    suggestion: 'Write {field}:value, or {field}:* for any value.',
  },
  QUERY_VALUE_MISSING: {
    message: 'There is no value behind {field}:.',
    suggestion: 'Write {field}:value, or {field}:* for any value.',
  },
  QUERY_COMPARED_VALUE_MISSING: {
    message: 'There is no value behind {sign}.',
    suggestion: 'Write {field}:{sign}5.',
  },
  QUERY_EXISTS_FIELD: { message: '_exists_ takes the name of a field.', suggestion: 'Write _exists_:user.' },
  QUERY_TOO_MANY_WILDCARDS: {
    message: 'A term may have {maximum} wildcards.',
    suggestion: 'Use a regular expression: /…/.',
  },
  QUERY_PATTERN_TOO_LONG: {
    message: 'A regular expression has at most {maximum} characters.',
    suggestion: 'Search for a part of it, or for several with OR.',
  },
  QUERY_PATTERNS_TOO_LARGE: {
    message: 'The regular expressions of a query have at most {maximum} parts, with repetitions written out.',
    suggestion: 'Repeat less often, or search for a part of it.',
  },
  QUERY_PATTERN_INVALID: {
    message: 'This is not a regular expression that can be searched.',
    suggestion: 'Use the RE2 syntax: it has no look-around and no references back to groups.',
  },
  QUERY_RANGE_WITHOUT_FIELD: {
    message: 'A comparison or range needs a field.',
    suggestion: 'Write {example}, or put the text in quotes to search for it.',
  },
  QUERY_RANGE_INVALID: {
    message: 'This is not a range.',
    suggestion: 'Write [1 TO 5]; { and } leave out the ends, and * leaves an end open.',
  },
  QUERY_RANGE_UNCLOSED: {
    message: 'This range is never closed.',
    suggestion: 'Write [1 TO 5], or put the text in quotes to search for a bracket.',
  },
  QUERY_RANGE_WILDCARD: {
    message: 'The end of a range takes no wildcards.',
    suggestion: 'Write a whole value, or * alone for an open end.',
  },
  QUERY_RANGE_OF_TEXT: {
    message: 'A text has no order that a range could use.',
    suggestion: 'Ask for a range of a field with numbers, times or addresses.',
  },
  QUERY_PATH: { message: 'This asks for a field called {field}.', suggestion: 'Put a path in quotes.' },
  QUERY_FILTER_VALUE_MISSING: { message: 'This filter needs a value.' },
  QUERY_FILTER_ONE_VALUE: { message: 'This filter takes one value.', suggestion: 'Use one_of for several.' },
  QUERY_FILTERS_TOO_LARGE: {
    message: 'The filters of a search have at most {maximum} characters together.',
  },
  QUERY_FILTERS_TOO_SLOW: { message: 'At most {maximum} filters may ask for a part of a value.' },
  QUERY_NOT_A_TIME: {
    message: 'The field {field} is compared with a time.',
    suggestion: 'Write 2026-11-21, 2026-11-21T10:15:00Z, now-15m or now-7d.',
  },
} as const satisfies Readonly<Record<string, QueryText>>;

export type QueryReason = keyof typeof queryTexts;

/** What is probably not meant. */
export const hintTexts = {
  QUERY_HINT_OPERATOR: '“{word}” is searched as a word; write {operator} for the operator.',
  QUERY_HINT_COLUMN: 'There is a column {column}; did you mean {column}:?',
} as const satisfies Readonly<Record<string, string>>;

/** Where the reason of a problem leads to its suggestion. */
export const SUGGESTION = '.suggestion';
