import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/config-error.ts';

/** Whoever issues it wants a few days for a new one. */
const ENDING_MS = 14 * 86_400_000;

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

/** Of the first certificate of the file, which is the one that is shown. */
export function certificateEnds(cert: Buffer): Date {
  return new Date(new X509Certificate(cert).validTo);
}

export function certificateAge(cert: Buffer, now: Date): { ends: Date; age: 'good' | 'ending' | 'ended' } {
  const ends = certificateEnds(cert);
  const leftMs = ends.getTime() - now.getTime();
  return { ends, age: leftMs <= 0 ? 'ended' : leftMs < ENDING_MS ? 'ending' : 'good' };
}

/** It opens all the same: only senders that check it stay away, and to refuse it would keep the others out too. */
export function warnOfCertificate(
  cert: Buffer,
  { now, log }: { now: () => Date; log: { warn(fields: object, message: string): void } },
): void {
  const { ends, age } = certificateAge(cert, now());
  if (age === 'good') return;
  const what = age === 'ended' ? 'has ended: senders that check it do not connect' : 'ends soon';
  log.warn({ ends }, `the certificate of encrypted syslog (SYSLOG_TLS_CERT_FILE) ${what}`);
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([{ variable, message: `${path} cannot be read (${code})` }]);
  }
}
