import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCallMark } from '@airdeck/connector-kit/call-mark';
import { secretDestination } from '@airdeck/connector-kit/connector-config';
import type { ActionContext } from '@airdeck/connector-kit/definition';
import { createEgress } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { vendorFailure } from '../connector-fixture.ts';
import { actionContext } from '../sandbox-fixture.ts';
import { sendMail } from './send-mail.ts';
import { smtpMail } from './smtp-mail.ts';

type Received = {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
  readonly secure: boolean;
};

const HOST = 'mail.example';
const PASSWORD = 'planted-password-1';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A real mail server, and an egress that finds it under the name of its certificate. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === 'airdeck' && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error('Invalid login')),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString('utf8'),
          secure: session.secure === true,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { received, port, ...reaching(port) };
}

function reaching(port: number) {
  const names = [HOST, 'other.example'];
  const egress = createEgress({
    allowLoopback: names.map((host) => ({ host, port })),
    resolve: async () => ['127.0.0.1'],
  });
  ends.push(() => egress.close());
  const contextOf = (
    input: JsonObject,
    config: JsonObject = {},
    parts: Partial<ActionContext> = {},
  ): ActionContext => ({
    ...actionContext(egress, {
      config: { server: `smtp://${HOST}:${port}`, from_address: 'airdeck@example.com', ...config },
      input,
    }),
    ...parts,
  });
  return {
    egress,
    send: (input: JsonObject, config: JsonObject = {}, parts: Partial<ActionContext> = {}) =>
      sendMail.run(contextOf({ ...mail, ...input }, config, parts)),
    test: (config: JsonObject = {}) =>
      smtpMail.testConnection?.(contextOf({}, config)) ?? Promise.reject(new Error('none')),
  };
}

const mail = { to: ['ana@example.net'], subject: 'Case 77', text: 'Blocked.' };
const plain = { allow_plaintext: true };
const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

describe('sending without encryption, where it is allowed', () => {
  it('hands over one mail, with blind copies in the envelope only', async () => {
    const { send, received } = await startMailServer();
    const output = await send(
      { cc: ['bo@example.net'], bcc: ['carla@example.net'], reply_to: 'soc@example.com' },
      plain,
    );
    expect(output).toMatchObject({
      accepted: ['ana@example.net', 'bo@example.net', 'carla@example.net'],
      rejected: [],
    });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ from: 'airdeck@example.com', to: output.accepted });
    const source = received[0]?.source ?? '';
    expect(source).toContain('To: ana@example.net');
    expect(source).toContain('Cc: bo@example.net');
    expect(source).toContain('Reply-To: soc@example.com');
    expect(source).toContain(`Message-ID: ${output.message_id}`);
    expect(source).not.toContain('carla');
  });

  it('gives the same id to every try of one step, and another one to another step', async () => {
    const { send } = await startMailServer();
    const ids = [];
    for (const idempotencyKey of ['a', 'a', 'b']) ids.push((await send({}, plain, { idempotencyKey })).message_id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('keeps a text that looks like the end of a mail inside the mail', async () => {
    const { send, received } = await startMailServer();
    const text = 'a\r\n.\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<x@example.org>\r\nDATA\n.\nb\r.\r';
    await send({ text }, plain);
    expect(received).toHaveLength(1);
    expect(received[0]?.source).toContain('MAIL FROM:<evil@example.org>');
  });

  it('says which recipients were not taken, and fails when none was', async () => {
    const { send } = await startMailServer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('bad') ? refusal(550, 'no such user') : null),
    });
    expect(await send({ to: ['ana@example.net', 'bad@example.net'] }, plain)).toMatchObject({
      accepted: ['ana@example.net'],
      rejected: [{ address: 'bad@example.net', reason: expect.stringContaining('no such user'), is_temporary: false }],
    });
    expect(await vendorFailure(send({ to: ['bad@example.net'] }, plain))).toMatchObject({
      code: 'VENDOR_REJECTED',
      retryable: false,
    });
  });

  it.each([
    [421, 'VENDOR_UNAVAILABLE', true],
    [451, 'VENDOR_UNAVAILABLE', true],
    [530, 'VENDOR_CREDENTIALS_REFUSED', false],
    [552, 'VENDOR_REJECTED', false],
  ])('turns a reply %i into %s', async (reply, code, retryable) => {
    const { send } = await startMailServer({
      onMailFrom: (_address, _session, done) => done(refusal(reply, 'not now')),
    });
    expect(await vendorFailure(send({}, plain))).toMatchObject({ code, retryable });
  });

  it('never sends a password without encryption, not even where a mail may go', async () => {
    const { send, received } = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const login = { username: 'airdeck', password: PASSWORD };
    expect(await vendorFailure(send({}, { ...plain, ...login }))).toMatchObject({ code: 'CONNECTOR_CONFIG_INVALID' });
    expect(await vendorFailure(send({}, login))).toMatchObject({ code: 'TLS_FAILED' });
    expect(received).toEqual([]);
  });

  it('is refused by a server without encryption unless allowed', async () => {
    const { send, test, received } = await startMailServer();
    expect(await vendorFailure(send({}))).toMatchObject({ code: 'TLS_FAILED' });
    expect(await vendorFailure(test())).toMatchObject({ code: 'TLS_FAILED' });
    expect(received).toEqual([]);
  });

  it('sends nothing when the mark before a change is refused', async () => {
    const { send, received, egress } = await startMailServer();
    const marked = withCallMark(egress, () => Promise.reject(new Error('lease lost')));
    await expect(send({}, plain, { egress: marked })).rejects.toThrow('lease lost');
    expect(received).toEqual([]);
  });

  it('sends no mail by a connection test', async () => {
    const { test, received, port } = await startMailServer();
    expect(await test(plain)).toEqual({
      message: `Connected to ${HOST}, without a login.`,
      metadata: { host: HOST, port, encryption: 'where the server offers it' },
    });
    expect(received).toEqual([]);
  });
});

const certificate = selfSigned();

describe.skipIf(certificate === undefined)('sending with encryption (needs the openssl program)', () => {
  const pair = certificate ?? { key: '', cert: '' };
  const login = { username: 'airdeck', password: PASSWORD, ca_certificate: pair.cert };
  const starttls = { ...pair, disabledCommands: [] };

  it('upgrades, signs in and sends', async () => {
    const { send, test, received } = await startMailServer(starttls);
    await send({}, login);
    expect(received).toMatchObject([{ secure: true }]);
    expect((await test(login)).message).toBe(`Connected to ${HOST} as airdeck.`);
  });

  it('encrypts from the start', async () => {
    const { send, received, port } = await startMailServer({ ...pair, secure: true });
    await send({}, { ...login, server: `smtps://${HOST}:${port}` });
    expect(received).toMatchObject([{ secure: true }]);
  });

  it.each(['smtp', 'smtps'])('does not trust a certificate of nobody or of another name (%s)', async (scheme) => {
    const { send, received, port } = await startMailServer({ ...starttls, secure: scheme === 'smtps' });
    const here = { ...login, server: `${scheme}://${HOST}:${port}` };
    expect(await vendorFailure(send({}, { ...here, ca_certificate: '' }))).toMatchObject({ code: 'TLS_FAILED' });
    expect(await vendorFailure(send({}, { ...here, server: `${scheme}://other.example:${port}` }))).toMatchObject({
      code: 'TLS_FAILED',
    });
    expect(received).toEqual([]);
  });

  it('tells a wrong password from other failures, without saying it', async () => {
    const { send, test } = await startMailServer(starttls);
    for (const work of [
      send({}, { ...login, password: 'wrong-password-9' }),
      test({ ...login, password: 'wrong-password-9' }),
    ]) {
      const failure = await vendorFailure(work);
      expect(failure).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED', retryable: false });
      expect(JSON.stringify(failure)).not.toContain('wrong-password-9');
    }
  });
});

describe('a server that is none', () => {
  async function startRaw(answer: string | undefined) {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      if (answer === undefined) return;
      socket.write(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => server.close(resolve)));
    return reaching((server.address() as AddressInfo).port);
  }

  it.each([
    ['HTTP/1.1 400 Bad Request\r\n\r\n<html>', 'VENDOR_ANSWER_UNREADABLE'],
    ['554 go away\r\n', 'VENDOR_REJECTED'],
    ['421 later\r\n', 'VENDOR_UNAVAILABLE'],
  ])('that says %j is told apart', async (answer, code) => {
    const { send } = await startRaw(answer);
    expect(await vendorFailure(send({}, plain))).toMatchObject({ code });
  });

  it('is not listened to without an end', async () => {
    const { send } = await startRaw(`220-${'x'.repeat(200_000)}`);
    expect((await vendorFailure(send({}, plain)))?.code).toMatch(/VENDOR_ANSWER_UNREADABLE|CONNECT_FAILED/);
  });

  it('is left when the caller stops waiting', async () => {
    const { send } = await startRaw(undefined);
    const signal = AbortSignal.timeout(100);
    expect(await vendorFailure(send({}, plain, { signal }))).toMatchObject({ code: 'ABORTED' });
  });
});

describe('what would not be exactly this one mail', () => {
  it.each<[string, JsonObject]>([
    ['a subject with a line end', { subject: 'a\r\nBcc: evil@example.org' }],
    ['a subject with another kind of line end', { subject: 'a\u2028b' }],
    ['a subject that is too long', { subject: 'x'.repeat(301) }],
    ['an address with a line end', { to: ['ana@example.net\r\nRCPT TO:<evil@example.org>'] }],
    ['a list in one address', { to: ['ana@example.net, evil@example.org'] }],
    ['a name with an address', { to: ['Ana <ana@example.net>'] }],
    ['an address with a route', { to: ['@relay.example:ana@example.net'] }],
    ['an address literal', { to: ['ana@[127.0.0.1]'] }],
    ['an address that is an object', { to: [{ address: 'ana@example.net' }] }],
    ['no recipient', { to: [] }],
    [
      'too many recipients',
      {
        to: Array.from({ length: 30 }, (_, i) => `a${i}@example.net`),
        bcc: Array.from({ length: 21 }, (_, i) => `b${i}@example.net`),
      },
    ],
    ['a reply address with a header', { reply_to: 'a@example.com\nX: y' }],
    ['a text that is too long', { text: 'x'.repeat(200_001) }],
  ])('is refused before anything is opened: %s', async (_what, input) => {
    const { send, received } = await startMailServer();
    expect(await vendorFailure(send(input, plain))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(received).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['another scheme', { server: 'https://mail.example' }, 'CONNECTOR_CONFIG_INVALID'],
    ['a login in the address', { server: 'smtp://user:pw@mail.example' }, 'CONNECTOR_CONFIG_INVALID'],
    ['a path', { server: 'smtp://mail.example/x' }, 'CONNECTOR_CONFIG_INVALID'],
    ['a sender with a line end', { from_address: 'a@example.com\r\nx' }, 'CONNECTOR_CONFIG_INVALID'],
    ['a sender name with a line end', { from_name: 'a\r\nBcc: x@example.org' }, 'CONNECTOR_CONFIG_INVALID'],
    ['a port of another service', { server: 'smtp://mail.example:6379' }, 'EGRESS_DENIED'],
    ['this machine', { server: 'smtp://127.0.0.1:25' }, 'EGRESS_DENIED'],
    ['metadata', { server: 'smtp://169.254.169.254:25' }, 'EGRESS_DENIED'],
  ])('is refused by its settings: %s', async (_what, config, code) => {
    const { send, test, received } = await startMailServer();
    expect(await vendorFailure(send({}, { ...plain, ...config }))).toMatchObject({ code });
    expect(await vendorFailure(test({ ...plain, ...config }))).toMatchObject({ code });
    expect(received).toEqual([]);
  });

  it('binds the password to the server it was saved for', () => {
    const bound = (server: string) => secretDestination(smtpMail.config_schema, { server });
    expect(bound('smtps://Mail.example:465')).toBe('smtps://mail.example:465');
    expect(bound('smtps://evil.example:465')).not.toBe(bound('smtps://mail.example:465'));
    expect(bound('smtp://mail.example:465')).not.toBe(bound('smtps://mail.example:465'));
    expect(bound('smtps://mail.example:2525')).not.toBe(bound('smtps://mail.example:465'));
  });
});

function selfSigned(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-mail-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${HOST}`];
  try {
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
