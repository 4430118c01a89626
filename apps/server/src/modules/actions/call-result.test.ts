import type { EgressRequest } from '@airdeck/connector-kit/egress';
import { EgressError, type EgressErrorCode, egressErrorCodes } from '@airdeck/connector-kit/egress-error';
import { VendorError, type VendorErrorCode, vendorErrorCodes } from '@airdeck/connector-kit/vendor-error';
import { describe, expect, test } from 'vitest';
import { resultOfAnswers, resultOfFailure, withAnswers } from './call-result.ts';

/** Whether a failure with the code says that the system does not answer. */
const saysAway = {
  VENDOR_CREDENTIALS_REFUSED: false,
  VENDOR_PERMISSION_MISSING: false,
  VENDOR_NOT_FOUND: false,
  VENDOR_CONFLICT: false,
  VENDOR_REJECTED: false,
  VENDOR_RATE_LIMITED: false,
  VENDOR_UNAVAILABLE: true,
  VENDOR_ANSWER_UNREADABLE: false,
  CONNECTOR_CONFIG_INVALID: false,
  EGRESS_DENIED: false,
  DNS_FAILED: true,
  CONNECT_FAILED: true,
  TLS_FAILED: true,
  TIMEOUT: true,
  BODY_TOO_LARGE: false,
  BODY_UNREADABLE: false,
  REDIRECT_REFUSED: false,
  ABORTED: false,
} as const satisfies Record<VendorErrorCode | EgressErrorCode, boolean>;

const failures = [
  ...(Object.keys(vendorErrorCodes) as VendorErrorCode[]).map((code) => new VendorError(code, 'why')),
  ...(Object.keys(egressErrorCodes) as EgressErrorCode[]).map((code) => new EgressError(code, 'why')),
].map((error) => [error.code, error] as const);

const { signal } = new AbortController();
const tookMs = 10_000;
const timedOut = AbortSignal.abort(new DOMException('The attempt timed out.', 'TimeoutError'));
const stopped = AbortSignal.abort(new Error('cancelled'));

describe('an attempt', () => {
  test.each(failures)('that failed with %s', (code, error) => {
    const away = saysAway[code];
    const ofItself = away && code !== 'VENDOR_UNAVAILABLE';
    expect(resultOfFailure(error, { wasAnswered: true, tookMs, signal })).toBe(ofItself ? 'failed' : 'answered');
    expect(resultOfFailure(error, { wasAnswered: false, tookMs, signal })).toBe(away ? 'failed' : 'unknown');
  });

  test('whose time was over says that nobody answers, unless somebody had; one that was stopped does not', () => {
    const error = new EgressError('ABORTED', 'why');
    expect(resultOfFailure(error, { wasAnswered: false, tookMs, signal: timedOut })).toBe('failed');
    expect(resultOfFailure(error, { wasAnswered: true, tookMs, signal: timedOut })).toBe('answered');
    expect(resultOfFailure(error, { wasAnswered: false, tookMs, signal: stopped })).toBe('unknown');
  });

  test('whose author gave it hardly any time says nothing about the system', () => {
    const error = new EgressError('ABORTED', 'why');
    expect(resultOfFailure(error, { wasAnswered: false, tookMs: 9_999, signal: timedOut })).toBe('unknown');
  });

  test('whose connector stumbled says what was answered before', () => {
    expect(resultOfFailure(new TypeError('x'), { wasAnswered: false, tookMs, signal })).toBe('unknown');
    expect(resultOfFailure(new TypeError('x'), { wasAnswered: true, tookMs, signal })).toBe('answered');
  });

  test('that called nobody says nothing', () => {
    expect([resultOfAnswers(false), resultOfAnswers(true)]).toEqual(['unknown', 'answered']);
  });
});

test('an answer is known as one, over connections of mail as well; a failure of the system and a failed call are none', async () => {
  const request: EgressRequest = { tenant: 't', method: 'GET', url: 'https://vendor.example/' };
  const statuses = [404, 500];
  let heard = 0;
  const onAnswer = () => {
    heard += 1;
  };
  const answering = withAnswers(
    { request: async () => ({ status: statuses.shift() ?? 200, headers: {}, text: '', retryAfterS: undefined }) },
    onAnswer,
  );
  expect(answering.wasAnswered()).toBe(false);
  expect(await answering.egress.request(request)).toMatchObject({ status: 404 });
  expect([answering.wasAnswered(), heard]).toEqual([true, 1]);
  await answering.egress.request(request);
  expect([answering.wasAnswered(), heard]).toEqual([false, 1]);
  expect(answering.egress.openSocket).toBeUndefined();

  const silent = withAnswers({ request: () => Promise.reject(new EgressError('TIMEOUT', 'why')) }, onAnswer);
  await expect(silent.egress.request(request)).rejects.toThrow('why');
  expect([silent.wasAnswered(), heard]).toEqual([false, 1]);

  const mail = withAnswers(
    { request: () => Promise.reject(new Error()), openSocket: async () => ({}) as never },
    onAnswer,
  );
  await mail.egress.openSocket?.({} as never);
  expect([mail.wasAnswered(), heard]).toEqual([true, 2]);
});
