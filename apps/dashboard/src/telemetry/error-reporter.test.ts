import { ApiError, type ErrorCategory } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { IdentityError } from '../session/identity-provider.ts';
import {
  createErrorReporter,
  DEDUPLICATION_MS,
  type ErrorReport,
  FINGERPRINTS_MAX,
  reportOf,
} from './error-reporter.ts';

function failure(category: ErrorCategory, status?: number, message = 'It failed.') {
  const endpoint = '/api/tenants/{tenant}/case/{id}';
  return new ApiError({ category, status, message, code: 'CODE', endpoint, method: 'GET', requestId: 'r-1' });
}

test.each<[ErrorCategory, number | undefined, string | undefined]>([
  ['abort', undefined, undefined],
  ['client', 449, undefined],
  ['timeout', undefined, 'warning'],
  ['network', undefined, 'warning'],
  ['auth', 403, 'warning'],
  ['client', 400, 'warning'],
  ['client', 404, 'low'],
  ['server', 503, 'error'],
  ['unknown', undefined, 'error'],
])('a failure of category %s and status %s is reported as %s', (category, status, level) => {
  expect(reportOf(failure(category, status))?.level).toBe(level);
});

test('a failed call is named by its route and found in the log, and what people typed is not in its text', () => {
  const report = reportOf(failure('client', 409, 'ann@example.com has case 018f0000-0000-7000-8000-000000000001 open'));
  expect(report).toMatchObject({
    call: 'GET /api/tenants/{tenant}/case/{id}',
    status: 409,
    requestId: 'r-1',
    message: '[e-mail] has case [id] open',
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('what the browser calls off is no failure; what is thrown that is no error is one', () => {
  expect(reportOf(new DOMException('Gone', 'AbortError'))).toBeUndefined();
  expect(reportOf('plain text')).toMatchObject({ name: 'Thrown', message: 'plain text', level: 'error' });
});

function reporterAt() {
  const clock = { now: 0 };
  const sent: ErrorReport[] = [];
  return { clock, sent, report: createErrorReporter({ now: () => clock.now, send: (one) => sent.push(one) }) };
}

test('the same failure is told once in five seconds, another one at once', () => {
  const { clock, sent, report } = reporterAt();
  report(failure('server', 500));
  clock.now = DEDUPLICATION_MS - 1;
  report(failure('server', 500));
  expect(sent).toHaveLength(1);
  report(failure('server', 502));
  expect(sent).toHaveLength(2);
  clock.now = DEDUPLICATION_MS;
  report(failure('server', 500));
  expect(sent).toHaveLength(3);
});

test('a hundred fingerprints are remembered; the one seen longest ago is forgotten first', () => {
  const { sent, report } = reporterAt();
  for (let n = 0; n <= FINGERPRINTS_MAX; n++) report(new Error(`Failure ${'x'.repeat(n % 30)} ${'y'.repeat(n / 30)}`));
  const all = sent.length;
  expect(all).toBe(FINGERPRINTS_MAX + 1);
  report(new Error('Failure x '));
  expect(sent).toHaveLength(all);
  report(new Error('Failure  '));
  expect(sent).toHaveLength(all + 1);
});

test('a question who is there is no failure, from whichever side it comes', () => {
  const category: ErrorCategory = 'auth';
  const asked = new ApiError({
    endpoint: '/me',
    method: 'PUT',
    category,
    status: 403,
    code: 'REAUTHENTICATION_REQUIRED',
    message: 'No.',
  });
  expect(reportOf(asked)).toBeUndefined();
  expect(reportOf(new IdentityError('PROOF_REQUIRED'))).toBeUndefined();
  expect(reportOf(new IdentityError('UNEXPECTED'))).toBeDefined();
});
