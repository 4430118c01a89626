import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';
import { toVendorFailure, VendorError } from './vendor-error.ts';

const secret = 'p@ss/word+"ü';

describe('redaction', () => {
  it.each([
    ['plain', secret],
    ['URL encoded', encodeURIComponent(secret)],
    ['inside JSON', JSON.stringify({ key: secret })],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['hex', Buffer.from(secret).toString('hex')],
  ])('takes a secret out of text: %s', (_spelling, text) => {
    const redacted = createRedactor([secret])(`before ${text} after`);
    expect(redacted).toContain('[secret]');
    expect(redacted).not.toContain('word');
    expect(redacted).not.toContain(text);
  });

  it('replaces every place, longer secrets first, and leaves short ones alone', () => {
    expect(createRedactor(['abcd', 'abcdefgh', 'a'])('a abcd abcdefgh abcd')).toBe('a [secret] [secret] [secret]');
  });

  it("cleans the vendor's own words and hides what was not meant for people", () => {
    const redact = createRedactor([secret]);
    const failure = toVendorFailure(
      new VendorError('VENDOR_REJECTED', `Bad key ${secret}`, { retryAfterS: 3 }),
      redact,
    );
    expect(failure).toEqual({
      code: 'VENDOR_REJECTED',
      message: 'Bad key [secret]',
      retryable: false,
      outcome_unknown: false,
      retry_after_s: 3,
    });
    expect(toVendorFailure(new TypeError(`x ${secret}`), redact)).toEqual({
      code: 'CONNECTOR_FAILED',
      message: 'The connector failed unexpectedly.',
      retryable: false,
      outcome_unknown: true,
    });
  });
});
