import { expect, it } from 'vitest';
import { isJsonObject, objectOf } from './json-object.ts';

it('takes neither null nor a list for an object, of which fields would be read', () => {
  expect([{}, { a: 1 }].filter((value) => !isJsonObject(value))).toEqual([]);
  expect([null, undefined, [], [{}], 'text', 1, true].filter(isJsonObject)).toEqual([]);
  expect([objectOf({ a: 1 }), objectOf(['a']), objectOf(null)]).toEqual([{ a: 1 }, {}, {}]);
});
