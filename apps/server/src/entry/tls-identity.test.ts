import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { selfMadeIdentity } from './self-made-identity.ts';
import { certificateEnds, readTlsIdentity, warnOfCertificate } from './tls-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdeck-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a start without its key, or with files that are none, says which variable to change', () => {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  expect(() => readTlsIdentity({ keyFile, certFile })).toThrow(/SYSLOG_TLS_KEY_FILE: .*cannot be read \(ENOENT\)/);
  writeFileSync(keyFile, 'no key');
  writeFileSync(certFile, 'no certificate');
  expect(() => readTlsIdentity({ keyFile, certFile })).toThrow(/SYSLOG_TLS_CERT_FILE: does not hold/);
});

it('a start says that the certificate has ended or soon will, and nothing of one that lives on', () => {
  const made = new Date('2026-11-01T00:00:00Z');
  const { cert } = selfMadeIdentity({ dataDir: folder, now: () => made, randomBytes });
  const ends = certificateEnds(cert);
  const warn = vi.fn();
  const warnAt = (days: number) => {
    warn.mockClear();
    warnOfCertificate(cert, { now: () => new Date(ends.getTime() + days * 86_400_000), log: { warn } });
    return warn.mock.calls;
  };
  expect(warnAt(-15)).toEqual([]);
  expect(warnAt(-13)).toEqual([[{ ends }, expect.stringContaining('ends soon')]]);
  expect(warnAt(0)).toEqual([[{ ends }, expect.stringContaining('has ended')]]);
});
