import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { selfMadeIdentity } from './self-made-identity.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'airdeck-self-made-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const DAY_MS = 86_400_000;
const begun = Date.now();
const made = (days = 0) => selfMadeIdentity({ dataDir, now: () => new Date(begun + days * DAY_MS), randomBytes });

describe('a self-made certificate', () => {
  it('is one that a sender who trusts it connects by, under the names of this machine', async () => {
    const { key, cert } = made();
    const server = createServer({ key, cert, minVersion: 'TLSv1.2' }, (socket) => socket.end('hello'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const name of [{ servername: 'localhost' }, {}]) {
      const socket = connect({ port, host: '127.0.0.1', ca: cert, ...name });
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
    await new Promise((resolve) => server.close(resolve));
    expect(new X509Certificate(cert).subjectAltName).toContain('DNS:localhost');
  });

  it('stays the same from start to start, keeps its key to itself, and is made anew before it ends', () => {
    const first = made();
    expect(made().cert).toEqual(first.cert);
    expect(statSync(join(dataDir, 'syslog-tls', 'key.pem')).mode & 0o077).toBe(0);
    const next = made(800);
    expect(next.cert).not.toEqual(first.cert);
    expect(new X509Certificate(next.cert).validTo).not.toBe(new X509Certificate(first.cert).validTo);
  });

  it('takes the place of a pair that does not fit, as a crash leaves it', () => {
    const { cert, certFile } = made();
    writeFileSync(certFile, 'half a certificate');
    expect(made().cert).not.toEqual(cert);
  });
});
