import type { JsonObject } from '@airdeck/contracts/fields';

/** Headers that are the connection's or the credentials', never an action's. */
const reserved: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** Whether this can be the name of a header at all. */
export function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name);
}

/** What HTTP lets a header's value be: one line of Latin-1, without blanks at its ends, which would get lost on the way. */
const HEADER_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Of the settings that go out in a header as they are, those that cannot. Secrets are never quoted. */
export function headerProblems(config: JsonObject, fields: readonly string[]): { field: string; message: string }[] {
  return fields.flatMap((field) => {
    const value = config[field];
    if (typeof value !== 'string' || value === '' || HEADER_VALUE.test(value)) return [];
    return [
      { field, message: 'holds a blank at an end, a line break or a character no request can carry. Copy it again' },
    ];
  });
}

/** Whether an action may set a header of this name. */
export function isSettableHeader(name: string): boolean {
  return isHeaderName(name) && !reserved.has(name.toLowerCase());
}
