import { VendorError } from './vendor-error.ts';

const MAX_SEGMENT_LENGTH = 2000;

/**
 * One path segment that is data, so encoded that it stays one segment. Throws `VENDOR_REJECTED` for what no encoding can
 * save: URL parsers resolve `.` and `..` even when written as `%2e`.
 */
export function segment(text: string): string {
  const isUsable = text !== '' && text !== '.' && text !== '..' && text.length <= MAX_SEGMENT_LENGTH;
  const isWellFormed = !/\p{Surrogate}/u.test(text);
  if (isUsable && isWellFormed) return encodeURIComponent(text);
  throw new VendorError('VENDOR_REJECTED', 'A name or id of this request cannot be part of an address.');
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** `a=1&b=x&b=y`; undefined values are left out. Broken surrogates become U+FFFD, as forms do it. */
export function encodeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  return parameters.toString();
}

type Addressed = {
  readonly vendor: string;
  readonly base: string;
  readonly call: {
    readonly path: string;
    readonly rawQuery?: string;
    readonly query?: Readonly<Record<string, QueryValue>>;
  };
};

/** The URL of a call: below the base address, whatever the path holds. Throws `VendorError`. */
export function callUrl({ vendor, base, call }: Addressed): string {
  const origin = URL.canParse(base) ? new URL(base) : undefined;
  if (origin === undefined || origin.search !== '' || origin.hash !== '' || base.includes('?') || base.includes('#')) {
    throw new VendorError('CONNECTOR_CONFIG_INVALID', `The address of ${vendor} is not usable as a base address.`);
  }
  const root = `${origin.origin}${origin.pathname.replace(/\/+$/, '')}`;
  const query = [call.rawQuery ?? '', call.query === undefined ? '' : encodeQuery(call.query)].filter(
    (one) => one !== '',
  );
  const url = `${root}${call.path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  // What the parser makes of it must be what was written: a dot segment or a backslash would lead out of the base.
  const seen = call.path.startsWith('/') && URL.canParse(url) ? new URL(url) : undefined;
  if (seen === undefined || seen.hash !== '' || `${seen.origin}${seen.pathname}` !== `${root}${call.path}`) {
    throw new VendorError('VENDOR_REJECTED', `A value of this request cannot be part of an address of ${vendor}.`);
  }
  return url;
}
