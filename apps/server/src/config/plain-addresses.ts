import type { Config } from './config.ts';

type Addresses = Pick<Config, 'stores' | 'filesBucket' | 'malwareScanner' | 'tracing'>;

const loopbackHosts = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|)$/;
/** Those with which the driver speaks TLS or not at all; it never falls back. */
const encryptedModes: ReadonlySet<string | null> = new Set([
  'prefer',
  'require',
  'verify-ca',
  'verify-full',
  'no-verify',
]);

/**
 * The variables whose addresses lead to another machine without TLS: passwords and all that is kept can be read on the way.
 * Only their names, since the addresses hold passwords.
 */
export function plainAddresses({ stores, filesBucket, malwareScanner, tracing }: Addresses): string[] {
  // ClamAV's daemon speaks no TLS.
  const scanner = malwareScanner !== undefined && 'host' in malwareScanner ? malwareScanner.host : undefined;
  return Object.entries({
    CLAMD_URL: scanner && `tcp://${scanner.includes(':') ? `[${scanner}]` : scanner}`,
    DATABASE_URL: stores.databaseUrl,
    EVENTS_URL: stores.eventsUrl,
    FILES_URL: filesBucket?.origin,
    OTEL_EXPORTER_OTLP_ENDPOINT: tracing?.url,
  }).flatMap(([variable, address]) => (address !== undefined && isPlain(new URL(address)) ? [variable] : []));
}

function isPlain({ protocol, hostname, searchParams }: URL): boolean {
  // A socket of this machine may be named beside an address that is none.
  const host = searchParams.get('host') ?? hostname;
  if (loopbackHosts.test(host) || host.startsWith('/')) return false;
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') return protocol !== 'https:';
  const isOn = ['true', '1'].includes(searchParams.get('ssl') ?? '');
  return !isOn && !encryptedModes.has(searchParams.get('sslmode'));
}
