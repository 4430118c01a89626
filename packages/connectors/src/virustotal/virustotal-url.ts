import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { inputText } from '../vendor-action.ts';

/** Bounds the path segment the URL becomes. */
const MAX_URL_LENGTH = 1400;

export const urlSchema: JsonObject = { type: 'string', title: 'URL', minLength: 8, maxLength: MAX_URL_LENGTH };

export function inputUrl(context: Pick<ActionContext, 'input'>): string {
  const rule = {
    max: MAX_URL_LENGTH,
    pattern: /^https?:\/\/[^\s\p{C}]+$/iu,
    like: 'such as https://www.example.com/page',
  };
  const text = inputText(context, 'url', rule);
  if (URL.canParse(text) && Buffer.byteLength(text) <= MAX_URL_LENGTH) return text;
  throw new VendorError('VENDOR_REJECTED', '"url" is not a complete URL, or too long.');
}

/** The id of a URL at VirusTotal: base64url of its text, without padding. */
export function urlId(url: string): string {
  return Buffer.from(url, 'utf8').toString('base64url');
}
