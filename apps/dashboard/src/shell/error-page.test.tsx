import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { failure, type Given, showApp } from '../test-app.tsx';

// React reports what an error boundary caught; here that is the point of the tests.
const expected = () => undefined;
beforeEach(() => {
  window.addEventListener('error', expected);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  window.removeEventListener('error', expected);
  vi.restoreAllMocks();
});

/** The sentences of the error page at the list of integrations. */
async function saidAt(answer: () => Response | Promise<Response>, given: Given = {}) {
  const answers = { [`GET /api/tenants/${ownTenant}/connectors`]: answer };
  showApp('/integrations', { me: userWith({ own: 'Admin' }), retriesAtOnce: true, answers, ...given });
  const heading = await screen.findByRole('heading', { level: 1, name: 'Unexpected Error' });
  return [...(heading.parentElement?.querySelectorAll('p') ?? [])].map(({ textContent }) => textContent);
}

test('without an answer the words of the screen are there too, whole and once', async () => {
  expect(await saidAt(() => Promise.reject(new TypeError('Failed to fetch')))).toEqual([
    'An unexpected error occurred. Please try again in a few minutes.',
    'Failed to load integrations. Please check your connection and try again. (The server cannot be reached.)',
  ]);
});

test('with an answer its code and the words of the server stand there', async () => {
  expect(await saidAt(() => failure(403, 'ROLE_TOO_LOW', 'Your role is too low.'))).toEqual([
    'Error code 403',
    'Failed to load integrations. Please check your connection and try again. (Your role is too low.)',
  ]);
});

test('a page of whatever stands between is no answer of the server, and its good status no error code', async () => {
  const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
  expect(await saidAt(page)).toEqual([
    'An unexpected error occurred. Please try again in a few minutes.',
    'Failed to load integrations. Please check your connection and try again. (The answer could not be read.)',
  ]);
});

test('what is no failed call says no more than that it was not expected', async () => {
  const answer = () => Response.json({ not: 'a list' });
  expect(await saidAt(answer)).toEqual(['An unexpected error occurred. Please try again in a few minutes.']);
});

test('a failure of no screen in particular has its own words only', async () => {
  const signIn = {
    isSignedIn: () => {
      const lost = new TypeError('Failed to fetch dynamically imported module');
      // As the loader says of files that are gone.
      window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: lost }));
      return Promise.reject(lost);
    },
  };
  expect(await saidAt(() => failure(404, 'NOT_FOUND'), { identity: signIn })).toEqual([
    'An unexpected error occurred. Please try again in a few minutes.',
    'The server cannot be reached.',
  ]);
});
