import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress, type GuardedEgress } from './egress.ts';
import { type CertificateFacts, createDialer } from './egress-dial.ts';
import { EgressError } from './egress-error.ts';

const certificate = selfSigned(2);
const expired = selfSigned(-1);
const open: { server: Server; egress: GuardedEgress }[] = [];

afterEach(async () => {
  for (const { server, egress } of open.splice(0)) {
    await egress.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }] });
  open.push({ server, egress });
  return { egress, port };
}

async function serve(listener: RequestListener) {
  const { egress, port } = await listen(createServer(listener));
  return { port, probe: () => egress.probe({ tenant: 't', url: `http://127.0.0.1:${port}/a?b=1`, timeoutMs: 5_000 }) };
}

describe('a probe', () => {
  it('says the status and how long it took, and nothing of TLS where there is none', async () => {
    const { probe } = await serve((request, response) => {
      expect(request.method).toBe('GET');
      expect(request.url).toBe('/a?b=1');
      response.writeHead(403).end('no');
    });
    const seen = await probe();
    expect(seen).toMatchObject({ status: 403, tls: null, redirectsTo: null });
    expect(seen.latencyMs).toBeGreaterThanOrEqual(0);
  });

  it('hangs up after the header, however much more would come', async () => {
    let written = 0;
    let resolveClosed: () => void = () => undefined;
    const hungUp = new Promise<void>((resolve) => {
      resolveClosed = resolve;
    });
    const { probe } = await serve((_request, response) => {
      response.once('close', resolveClosed);
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await probe()).toMatchObject({ status: 200 });
    await hungUp;
    expect(written).toBeLessThan(64 * 1_048_576);
  });

  it('follows no redirect and names its host only', async () => {
    let asked = 0;
    const { probe } = await serve((_request, response) => {
      asked++;
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data?secret=1' }).end();
    });
    expect(await probe()).toMatchObject({ status: 302, redirectsTo: '169.254.169.254' });
    expect(asked).toBe(1);
  });

  it('passes the same guard as every call', async () => {
    const { egress, port } = await listen(createServer((_request, response) => response.end()));
    for (const url of [
      `http://localhost:${port}/`,
      'http://10.0.0.1/',
      'http://[::ffff:127.0.0.1]/',
      'file:///etc/passwd',
    ]) {
      await expect(egress.probe({ tenant: 't', url })).rejects.toMatchObject({ code: 'EGRESS_DENIED' });
    }
  });

  it('is over when the other side never answers', async () => {
    const { egress, port } = await listen(createServer(() => undefined));
    const leave = new AbortController();
    const probing = egress.probe({ tenant: 't', url: `http://127.0.0.1:${port}/`, signal: leave.signal });
    leave.abort();
    await expect(probing).rejects.toSatisfy((error) => error instanceof EgressError && error.code === 'ABORTED');
  });

  describe.skipIf(certificate === undefined || expired === undefined)('of TLS (needs the openssl program)', () => {
    const pair = certificate ?? { key: '', cert: '' };

    it('shows the end of a certificate it does not trust, and sends nothing over that connection', async () => {
      let asked = 0;
      const server = createTlsServer(pair, (_request, response) => {
        asked++;
        response.end();
      });
      const { egress, port } = await listen(server as unknown as Server);
      const seen = await egress.probe({ tenant: 't', url: `https://127.0.0.1:${port}/` });
      expect(seen).toMatchObject({ status: null, tls: { problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
      expect(seen.tls?.expiresAt?.getTime()).toBeGreaterThan(Date.now());
      expect(asked).toBe(0);
    });

    it.each([
      ['127.0.0.1', 'that was asked for', pair, null],
      ['localhost', 'it does not have', pair, 'ERR_TLS_CERT_ALTNAME_INVALID'],
      ['127.0.0.1', 'it had until yesterday', expired ?? pair, 'CERT_HAS_EXPIRED'],
    ])('judges a trusted certificate for %s, the name %s', async (name, _which, held, problem) => {
      const { port } = await listen(createTlsServer(held) as unknown as Server);
      const deps = {
        resolve: async () => ['127.0.0.1'],
        isRefused: () => false,
        isExcepted: () => true,
        connectTimeoutMs: 5_000,
      };
      let facts: CertificateFacts | undefined;
      const dial = createDialer('t', held.cert, deps, (seen) => {
        facts = seen;
      });
      const ended = await new Promise((resolve) => {
        dial({ hostname: name, host: name, protocol: 'https:', port: String(port) }, (error, socket) => {
          socket?.destroy();
          resolve(error === null ? 'connected' : (error as EgressError).code);
        });
      });
      expect(ended).toBe(problem === null ? 'connected' : 'TLS_FAILED');
      expect(facts?.problem).toBe(problem);
    });
  });
});

type Pair = { key: string; cert: string };

/** `days` from now; -1 is over since yesterday. */
function selfSigned(days: number): Pair | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-cert-'));
  const [key, request, cert] = [join(folder, 'key.pem'), join(folder, 'request.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const signed = ['-signkey', key, '-days', String(days), '-copy_extensions', 'copy'];
  try {
    execFileSync('openssl', ['req', '-new', ...algorithm, '-keyout', key, '-out', request, ...names], {
      stdio: 'ignore',
    });
    execFileSync('openssl', ['x509', '-req', '-in', request, ...signed, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
