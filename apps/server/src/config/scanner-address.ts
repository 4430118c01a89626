/** Where ClamAV's daemon listens: on a port, or on a socket of this machine. */
export type ScannerAddress = { readonly host: string; readonly port: number } | { readonly path: string };

export const CLAMD_URL_EXAMPLE = 'tcp://clamd:3310 or unix:/run/clamav/clamd.ctl';

const USUAL_PORT = 3310;

/** Undefined for everything that is not one of the two forms. */
export function scannerAddressOf(text: string): ScannerAddress | undefined {
  const path = /^unix:(\/[^?#\s]{1,100})$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const [, host, port] = /^tcp:\/\/(\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  const at = port === undefined ? USUAL_PORT : Number(port);
  if (host === undefined || at < 1 || at > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: at };
}
