import { describe, expect, test } from 'vitest';
import { defaultValues, formFields, withValue } from './form-schema.ts';
import { problemsUnder, schemaProblems } from './schema-problems.ts';

const mask = { $secret: true, set_at: '2026-01-01T00:00:00.000Z' };
const of = (property: object, required = true) => ({
  type: 'object',
  required: required ? ['x'] : [],
  properties: { x: property },
});

describe('a field', () => {
  test.each([
    ['a missing required text', { type: 'string' }, undefined, 'Fill this in.'],
    ['an empty required secret', { type: 'string', secret: true }, '', 'Enter it.'],
    ['a secret that is saved', { type: 'string', secret: true, minLength: 5 }, mask, undefined],
    ['a secret that is too short', { type: 'string', secret: true, minLength: 5 }, 'abc', 'At least 5 characters.'],
    ['an object that only looks like a mask', { type: 'string', secret: true }, { $secret: 'no' }, 'Enter a text.'],
    ['a text that is too long', { type: 'string', maxLength: 3 }, 'abcd', 'At most 3 characters; these are 4.'],
    ['an emoji, which is one character', { type: 'string', maxLength: 1 }, '🙂', undefined],
    [
      'an address without a scheme',
      { type: 'string', pattern: '^https?://' },
      'a.example',
      'Begin with https:// or http://.',
    ],
    [
      'another pattern',
      { type: 'string', pattern: '^[a-z]+$' },
      'A1',
      'This does not have the form that is asked for.',
    ],
    ['a pattern only the server can read', { type: 'string', pattern: '^[\\w-.]+$' }, '!', undefined],
    ['a pattern of another make', { type: 'string', pattern: '(?i)^ws-\\d+$' }, '!', undefined],
    ['a needless escape in a pattern', { type: 'string', pattern: '^[^@\\s]+\\@corp\\.example$' }, '!', undefined],
    [
      'a pattern that would be tried without end',
      { type: 'string', pattern: '^([a-z0-9]+[-.]?)+$' },
      `${'a'.repeat(40)}!`,
      undefined,
    ],
    [
      'a long text for a pattern that repeats often',
      { type: 'string', pattern: '^\\w*\\w*\\w*\\w*\\w*\\w*$' },
      `${'a'.repeat(1900)}!`,
      undefined,
    ],
    [
      'a destination that is no address',
      { type: 'string', destination: true },
      'https://',
      'Enter a whole address, such as https://host.example.net.',
    ],
    [
      'a destination with a password in it',
      { type: 'string', destination: true },
      'https://a:b@host.example',
      'Leave out user name and password; they have fields of their own.',
    ],
    ['a mail server as destination', { type: 'string', destination: true }, 'smtps://mail.example:465', undefined],
    ['a number typed half', { type: 'number' }, '1.', 'Enter a number.'],
    ['a broken number where a whole one is asked for', { type: 'integer' }, 1.5, 'Enter a whole number.'],
    ['a number below the least', { type: 'integer', minimum: 1 }, 0, 'At least 1.'],
    ['a number above the most', { type: 'integer', maximum: 9 }, 10, 'At most 9.'],
    ['nought, which is a value', { type: 'integer' }, 0, undefined],
    ['false, which is a value', { type: 'boolean' }, false, undefined],
    ['something off the list', { enum: ['a', 'b'] }, 'c', 'Choose one of the list.'],
    ['nothing off the list', { enum: ['a', 'b'] }, undefined, 'Choose one.'],
    ['an IPv4 address', { type: 'string', format: 'ip' }, '192.0.2.10', undefined],
    ['an IPv6 address', { type: 'string', format: 'ip' }, '2001:db8::10', undefined],
    [
      'half an address',
      { type: 'string', format: 'ip' },
      '192.0.2',
      'Enter a whole address, such as 192.0.2.10 or 2001:db8::10.',
    ],
    [
      'a port nobody asked for',
      { type: 'string', format: 'ip' },
      '192.0.2.10:514',
      'Enter the address alone, without a port.',
    ],
    ['a port where one may follow', { type: 'string', format: 'ipv4-port' }, '192.0.2.10:514', undefined],
    ['a bracketed port of IPv6', { type: 'string', format: 'ipv6-port' }, '[2001:db8::10]:514', undefined],
    [
      'the other family',
      { type: 'string', format: 'ipv6' },
      '192.0.2.10',
      'Enter a whole IPv6 address, such as 2001:db8::10 or [2001:db8::10]:514.',
    ],
    [
      'a bad line',
      { type: 'array', items: { type: 'string', pattern: '^\\d+$' } },
      ['1', 'b'],
      'Line 2: This does not have the form that is asked for.',
    ],
    [
      'a blank line, which goes when the field is left',
      { type: 'array', items: { type: 'string', minLength: 2 } },
      ['ab', ''],
      undefined,
    ],
    [
      'too many lines',
      { type: 'array', maxItems: 1, items: { type: 'string' } },
      ['a', 'b'],
      'At most 1; these are 2.',
    ],
    [
      'the same line twice',
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      ['a', 'a'],
      'Each only once.',
    ],
    [
      'a number among lines of numbers',
      { type: 'array', items: { type: 'integer' } },
      [1, 'x'],
      'Line 2: Enter a number.',
    ],
    ['a required list that may be empty', { type: 'array', items: { type: 'string' } }, undefined, undefined],
    ['JSON that is not complete', { type: 'object' }, '{"a":', 'This is not complete JSON.'],
    ['JSON of any kind that is not complete', {}, '[1', 'This is not complete JSON.'],
    ['a single text where any JSON may stand', {}, 'plain', undefined],
    [
      'pairs that are not complete',
      { type: 'object', additionalProperties: { type: 'string' } },
      'X-Key',
      'Write each line as name: value.',
    ],
    [
      'a pair with too long a value',
      { type: 'object', additionalProperties: { type: 'string', maxLength: 1 } },
      { a: 'xy' },
      'a: At most 1 characters; these are 2.',
    ],
    ['JSON of another kind', { type: 'object' }, [1], 'Enter an object: { … }.'],
  ])('%s', (_, property, value, message) => {
    expect(schemaProblems(of(property), value === undefined ? {} : { x: value })).toEqual(
      message === undefined ? [] : [{ path: 'x', message }],
    );
  });

  test('that may stay empty has no problem when it is', () => {
    expect(schemaProblems(of({ type: 'string', minLength: 3 }, false), {})).toEqual([]);
  });
});

const nested = {
  type: 'object',
  required: ['auth'],
  properties: {
    auth: {
      type: 'object',
      required: ['user'],
      properties: { user: { type: 'string' }, kind: { enum: ['a'], default: 'a' } },
    },
    links: { type: 'array', items: { type: 'object', required: ['href'], properties: { href: { type: 'string' } } } },
  },
};

test('inside a group and a list of groups problems name the whole path', () => {
  expect(schemaProblems(nested, { links: [{ href: 'a' }, {}] })).toEqual([
    { path: 'auth.user', message: 'Fill this in.' },
    { path: 'links.1.href', message: 'Fill this in.' },
  ]);
});

test('defaults reach into groups; a required yes or no without one begins as no', () => {
  const schema = { ...nested, required: ['on'], properties: { ...nested.properties, on: { type: 'boolean' } } };
  expect(defaultValues(schema)).toEqual({ auth: { kind: 'a' }, on: false });
});

test('an emptied field leaves the value, so that an optional one is not sent as an empty text', () => {
  expect(withValue({ a: 'b', c: 1 }, 'a', '')).toEqual({ c: 1 });
  expect(withValue({ c: 1 }, 'a', 0)).toEqual({ c: 1, a: 0 });
});

test('a property without a title is named in words', () => {
  expect(formFields(of({ type: 'string' }))[0]?.label).toBe('X');
  expect(formFields({ properties: { api_token: {} } })[0]?.label).toBe('Api token');
});

test('what the server says of a part goes to its field, as a sentence', () => {
  const schema = of({ type: 'string', title: 'Access token' });
  expect(
    problemsUnder('config', schema, [
      { path: 'config.x', message: 'is missing' },
      { path: 'body.config.x', message: 'Too short' },
      { path: 'events_options.x', message: 'is missing' },
      { path: 'name', message: 'Taken.' },
    ]),
  ).toEqual([
    { path: 'x', message: 'Access token is missing.' },
    { path: 'x', message: 'Too short.' },
  ]);
});
