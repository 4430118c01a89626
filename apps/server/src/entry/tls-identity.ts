import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/config-error.ts';

/** Key and certificate of the door for encrypted syslog. Throws `ConfigError` for files that cannot be used. */
export function readTlsIdentity(files: { keyFile: string; certFile: string }): { key: Buffer; cert: Buffer } {
  const identity = {
    key: readPem('SYSLOG_TLS_KEY_FILE', files.keyFile),
    cert: readPem('SYSLOG_TLS_CERT_FILE', files.certFile),
  };
  try {
    createSecureContext(identity);
  } catch {
    throw new ConfigError([
      { variable: 'SYSLOG_TLS_CERT_FILE', message: 'does not hold a PEM certificate that fits SYSLOG_TLS_KEY_FILE' },
    ]);
  }
  return identity;
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([{ variable, message: `${path} cannot be read (${code})` }]);
  }
}
