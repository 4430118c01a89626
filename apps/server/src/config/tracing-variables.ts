/** Where traces go, from the variables that OpenTelemetry has named. */
export type TracingConfig = {
  /** Of the collector, for traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of the traces that begin here, from 0 to 1. */
  readonly share: number;
};

const TRACES_PATH = 'v1/traces';
const HEADER = /^([!#$%&'*+.^_`|~\w-]{1,100})=(.{0,4000})$/;

/** Undefined for what is no address of a collector. Keys belong into the headers, where nothing prints them. */
export function tracesUrlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return `${url.href.replace(/\/+$/, '')}/${TRACES_PATH}`;
}

/** `name=value,…` with values encoded as in addresses; undefined for what is not. */
export function exportHeadersOf(text: string): Record<string, string> | undefined {
  const entries = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [HEADER.exec(entry.trim())]));
  const headers: Record<string, string> = {};
  for (const entry of entries) {
    const [, name = '', encoded = ''] = entry ?? [];
    const value = decoded(encoded);
    if (name === '' || value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined;
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
