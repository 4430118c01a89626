// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import { beginSignupFlow, endSignupFlow, flowOfSearch, signupFlow } from './signup-flow.ts';

afterEach(endSignupFlow);

test('is kept for this tab until it ends', () => {
  beginSignupFlow({ token: 'tok' });
  expect(signupFlow()).toEqual({ token: 'tok' });
  expect(Object.keys(localStorage)).toEqual([]);
  endSignupFlow();
  expect(signupFlow()).toEqual({});
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test('another one replaces it', () => {
  beginSignupFlow({ token: 'tok' });
  beginSignupFlow({ ticket: 'tick' });
  expect(signupFlow()).toEqual({ ticket: 'tick' });
});

test.each(['{', 'null', '[]', '{"ticket":{}}', `{"token":"${'x'.repeat(4097)}"}`])(
  'a store with %s has none',
  (text) => {
    sessionStorage.setItem('airdeck.signup', text);
    expect(signupFlow()).toEqual({});
  },
);

test('a plus sign that was not escaped comes back', () => {
  const search = Object.fromEntries(new URLSearchParams('token=ab+c%2Bd=='));
  expect(flowOfSearch(search)).toEqual({ token: 'ab+c+d==' });
});

test('an address without either has none', () => {
  expect(flowOfSearch({ token: '', __clerk_ticket: ['a'] })).toBeUndefined();
});
