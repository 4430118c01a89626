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

/** Whether an action may set a header of this name. */
export function isSettableHeader(name: string): boolean {
  return isHeaderName(name) && !reserved.has(name.toLowerCase());
}
