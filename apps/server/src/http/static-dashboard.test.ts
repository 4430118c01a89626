import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { installErrorAnswers } from './error-answers.ts';
import { installSecurityHeaders } from './security-headers.ts';
import { readIndexHtml, serveDashboard } from './static-dashboard.ts';

const page =
  '<!doctype html><meta property="csp-nonce" nonce="" /><script>document.documentElement.dataset.theme = "dark"</script><script src="/assets/app-1a2b.js"></script>';
const browser = { accept: 'text/html,application/xhtml+xml' };

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'run()');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync('run()'));
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.map'), 'secret');
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  mkdirSync(join(folder, '.git'));
  for (const name of ['.git/config', '.env']) writeFileSync(join(folder, name), 'secret');
  app = Fastify();
  installErrorAnswers(app);
  const indexHtml = readIndexHtml(folder);
  const { dashboard } = readConfig(
    {
      IDENTITY_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`,
      CLERK_SECRET_KEY: 'sk_test_notused',
      ANALYTICS_HOST: 'https://eu.example.com/x',
    },
    '1.0.0',
  );
  await installSecurityHeaders(app, { https: false, dashboard, indexHtml });
  await serveDashboard(app, { folder, indexHtml });
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('dashboard files', () => {
  it.each(['/', '/home', '/cases/1?tab=events', '/index.html'])(
    'a browser that goes to %s gets the page, never stored',
    async (url) => {
      const answer = await app.inject({ url, headers: browser });
      const body = answer.body.replace(/nonce="[^"]+"/, 'nonce=""');
      expect({ status: answer.statusCode, body, cache: answer.headers['cache-control'] }).toEqual({
        status: 200,
        body: page,
        cache: 'no-cache',
      });
    },
  );

  it.each(['/api/unknown', '/auth/unknown', '/assets/app-gone.js'])(
    '%s is not the page, not even for a browser',
    async (url) => {
      const answer = await app.inject({ url, headers: browser });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    },
  );

  it('a program gets a plain refusal for an unknown address', async () => {
    expect((await app.inject('/home')).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it('hashed files are kept for ever, others asked for again', async () => {
    const hashed = await app.inject('/assets/app-1a2b.js');
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('files compressed at build time are sent as they are', async () => {
    const answer = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(answer.rawPayload.equals(gzipSync('run()'))).toBe(true);
  });

  it.each([
    '/../package.json',
    '/assets/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fetc%2fpasswd',
  ])('%s does not leave the folder', async (url) => {
    expect((await app.inject(url)).statusCode).toBeGreaterThanOrEqual(400);
  });

  it.each([
    '/.git/config',
    '/.git/',
    '/.env',
    '/.env.bak',
    '/index.html~',
    '/assets',
    '/assets/',
    '/assets/app-1a2b.js.map',
    '/.well-known/',
  ])('%s is nothing that is given out, and no folder is listed', async (url) => {
    expect((await app.inject(url)).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    expect((await app.inject({ url, headers: browser })).body).not.toMatch(/secret|app-1a2b\.js\.map|config/);
  });

  it('its inline script runs by its hash, and only configured services may be talked to', async () => {
    const policy = String((await app.inject({ url: '/', headers: browser })).headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/);
    expect(policy).toContain("connect-src 'self' https://eu.example.com https://clerk.example.com;");
    expect(policy).not.toContain('unsafe');
  });

  it('a style sheet in the page needs what this one answer says, and no other answer takes any', async () => {
    const opened = await Promise.all([1, 2].map(() => app.inject({ url: '/', headers: browser })));
    const nonces = opened.map(({ body, headers }) => {
      const [, nonce] = /nonce="([A-Za-z0-9+/]{22}==)"/.exec(body) ?? [];
      expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}';`);
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    const elsewhere = await app.inject({ url: '/favicon.svg', headers: browser });
    expect(elsewhere.headers['content-security-policy']).toContain("style-src 'self';");
  });
});
