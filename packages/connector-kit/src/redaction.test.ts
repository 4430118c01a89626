import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';
import { toVendorFailure, VendorError } from './vendor-error.ts';

const secret = 'p@ss/word+"ü';

describe('redaction', () => {
  it.each([
    ['plain', secret],
    ['URL encoded', encodeURIComponent(secret)],
    ['inside JSON', JSON.stringify({ key: secret })],
    ['inside JSON with escaped slashes', JSON.stringify({ key: secret }).replaceAll('/', '\\/')],
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

  it('takes a password out of Basic credentials, however long the user name is', () => {
    const redact = createRedactor(['correct horse']);
    const echoed = ['', 'a', 'ab', 'abc', 'abcd'].map((user) =>
      redact(`authorization: Basic ${Buffer.from(`${user}:correct horse`).toString('base64')}`),
    );
    expect(echoed).toEqual([
      'authorization: Basic Om[secret]U=',
      'authorization: Basic YTp[secret]',
      'authorization: Basic YWI6[secret]',
      'authorization: Basic YWJjOm[secret]U=',
      'authorization: Basic YWJjZDp[secret]',
    ]);
  });

  it('leaves no character of Base64 that only the secret decides, wherever in the encoded text it stands', () => {
    const secrets = fc.string({ minLength: 5, maxLength: 60 });
    const around = fc.uint8Array({ maxLength: 12 });
    fc.assert(
      fc.property(
        secrets,
        around,
        around,
        fc.constantFrom('base64', 'base64url'),
        (hidden, before, after, encoding) => {
          const bytes = Buffer.from(hidden);
          const text = Buffer.concat([before, bytes, after]).toString(encoding);
          const start = Math.ceil((before.length * 8) / 6);
          const end = Math.floor(((before.length + bytes.length) * 8) / 6);
          const redacted = createRedactor([hidden])(`before ${text} after`);
          return redacted.includes('[secret]') && !redacted.includes(text.slice(start, end));
        },
      ),
    );
  });

  it('does not take ordinary text for a short secret inside Base64', () => {
    // What these are in Base64 behind one byte of something else.
    const text = 'Item, NAME, FILE';
    expect(createRedactor(['"-z`', '#@0@', '!H,@'])(text)).toBe(text);
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
