import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readTlsIdentity } from './tls-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'airdeck-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a start without its key, or with files that are none, says which variable to change', () => {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  expect(() => readTlsIdentity({ keyFile, certFile })).toThrow(/SYSLOG_TLS_KEY_FILE: .*cannot be read \(ENOENT\)/);
  writeFileSync(keyFile, 'no key');
  writeFileSync(certFile, 'no certificate');
  expect(() => readTlsIdentity({ keyFile, certFile })).toThrow(/SYSLOG_TLS_CERT_FILE: does not hold/);
});
