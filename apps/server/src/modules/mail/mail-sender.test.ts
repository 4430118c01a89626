import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { createMailModule, type MailModule } from './mail-module.ts';
import { createMailSender, GIVEN_UP_AFTER_MS, LEASE_MS, pauseAfter } from './mail-sender.ts';
import { createMailTransport, type MailServer } from './mail-transport.ts';

type Received = { from: string; to: string[]; source: string };

let stores: TestDatabase;
let smtp: SMTPServer;
let server: MailServer;
let received: Received[];
/** What the mail server does with a recipient, a sender, and the text. */
let onRcptTo: NonNullable<SMTPServerOptions['onRcptTo']>;
let onMailFrom: NonNullable<SMTPServerOptions['onMailFrom']>;
let onData: (source: string) => Error | undefined;
let clock: Date;
let modules: MailModule[];
const noted: object[] = [];

const now = () => clock;
const log = { warn: (fields: object) => void noted.push(fields), error: (fields: object) => void noted.push(fields) };

beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores?.close());

beforeEach(async () => {
  received = [];
  modules = [];
  clock = new Date();
  onRcptTo = (_address, _session, done) => done();
  onMailFrom = (_address, _session, done) => done();
  onData = () => undefined;
  await stores.database.system((tx) => tx.deleteFrom('mail').execute());
  smtp = new SMTPServer({
    authOptional: true,
    // Connections it keeps hanging on purpose end with the test.
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (address, session, done) => onRcptTo(address, session, done),
    onMailFrom: (address, session, done) => onMailFrom(address, session, done),
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const source = Buffer.concat(parts).toString('utf8');
        const refusal = onData(source);
        if (refusal !== undefined) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  server = { url: `smtp://127.0.0.1:${port}`, from: { name: 'AIRdeck', address: 'no-reply@example.com' } };
});
afterEach(async () => {
  for (const module of modules) await module.stop();
  await new Promise<void>((resolve) => smtp.close(() => resolve()));
});

function mailModule(): MailModule {
  const module = createMailModule({
    db: stores.database,
    server,
    sends: true,
    showsOutbox: false,
    warnsWithoutServer: false,
    own: { publicUrl: undefined, listensOnLoopback: true },
    ids: v7,
    now,
    log,
  });
  modules.push(module);
  return module;
}

/** A sender that only works when told to. */
function sender() {
  return createMailSender({ db: stores.database, transport: createMailTransport(server), now, log });
}

function queue({
  subject = 'Hello',
  text = 'A text.',
  ...mail
}: {
  to: string;
  subject?: string;
  text?: string;
  key?: string;
}) {
  return stores.database.system((tx) => mailModule().mail.queue(tx, { ...mail, write: () => ({ subject, text }) }));
}

function rows() {
  return stores.database.system((tx) => tx.selectFrom('mail').selectAll().orderBy('id').execute());
}

function later(ms: number): void {
  clock = new Date(clock.getTime() + ms);
}

describe('queued mails', () => {
  it('go out at once when their transaction commits, and never when it does not', async () => {
    const module = mailModule();
    await module.start();
    await stores.database.system((tx) =>
      module.mail.queue(tx, {
        to: 'ana@example.com',
        write: () => ({ subject: 'Grüße', text: 'Your code is 12345678.\n.\nEnd' }),
      }),
    );
    await stores.database
      .system(async (tx) => {
        await module.mail.queue(tx, { to: 'bob@example.com', write: () => ({ subject: 'Never', text: 'Never' }) });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await expect.poll(() => received.length).toBe(1);
    const [mail] = received;
    expect(mail).toMatchObject({ from: 'no-reply@example.com', to: ['ana@example.com'] });
    expect(mail?.source).toMatch(/^From: AIRdeck <no-reply@example\.com>\r$/m);
    expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.source).toContain('Your code is 12345678.');
    expect(mail?.source).toContain('End');
    // What was sent keeps no code.
    await expect
      .poll(async () => (await rows()).map(({ body, due_at }) => ({ body, due_at })))
      .toEqual([{ body: '', due_at: null }]);
    expect((await rows())[0]?.sent_at).toEqual(clock);
  });

  it('go out once each, also with many senders at work', async () => {
    for (let n = 0; n < 30; n++) await queue({ to: `user${n}@example.com` });
    const senders = [sender(), sender(), sender(), sender()];
    await Promise.all(
      senders.map(async (each) => {
        while ((await each.sendDue()) > 0);
      }),
    );
    expect(received.flatMap(({ to }) => to).sort()).toEqual(
      Array.from({ length: 30 }, (_, n) => `user${n}@example.com`).sort(),
    );
  });

  it('with the same key are one mail', async () => {
    await queue({ to: 'ana@example.com', key: 'invitation:1' });
    await queue({ to: 'ana@example.com', key: 'invitation:1' });
    await sender().sendDue();
    expect(received).toHaveLength(1);
  });

  it('without a key go out before notices that wait for longer', async () => {
    for (let n = 0; n < 12; n++) await queue({ to: `user${n}@example.com`, key: `notice:${n}` });
    later(60_000);
    await queue({ to: 'ana@example.com', subject: 'Your code' });
    await sender().sendDue();
    expect(received).toHaveLength(5);
    expect(received.flatMap(({ to }) => to)).toContain('ana@example.com');
  });

  it('that a dead process had claimed go out when its lease has run out, with the same Message-ID', async () => {
    await queue({ to: 'ana@example.com' });
    const dies = createMailSender({
      db: stores.database,
      // Handed over, and gone before it could be noted.
      transport: {
        send: async (mail) => {
          await createMailTransport(server).send(mail);
          throw new Error('the process is gone');
        },
      },
      now,
      log,
    });
    await expect(dies.sendDue()).rejects.toThrow('the process is gone');
    expect(await sender().sendDue()).toBe(0);
    later(LEASE_MS + 1);
    expect(await sender().sendDue()).toBe(1);
    expect(received).toHaveLength(2);
    const ids = received.map(({ source }) => /^Message-ID: (.*)\r$/im.exec(source)?.[1]);
    expect(ids[0]).toBe(ids[1]);
    later(LEASE_MS + 1);
    expect(await sender().sendDue()).toBe(0);
  });
});

describe('a mail that cannot be sent', () => {
  it.each([
    ['its sender is refused', 'MAIL FROM', '5.1.8 Sender address rejected'],
    ['we may not send to others', 'RCPT TO', '5.7.1 Relaying denied'],
  ])('waits for the operator where %s', async (_, at, words) => {
    let isRefused = true;
    const answer = (done: (error?: Error | null) => void) =>
      isRefused ? done(Object.assign(new Error(words), { responseCode: 550 })) : done();
    if (at === 'MAIL FROM') onMailFrom = (_address, _session, done) => answer(done);
    else onRcptTo = (_address, _session, done) => answer(done);
    await queue({ to: 'ana@example.com' });
    await sender().sendDue();
    const [waiting] = await rows();
    expect(waiting).toMatchObject({ attempts: 1, sent_at: null });
    expect(waiting?.due_at).not.toBeNull();
    isRefused = false;
    later(pauseAfter(1));
    await sender().sendDue();
    expect(received).toHaveLength(1);
  });

  it('is tried again with a growing pause, and goes out when the server is back', async () => {
    let isDown = true;
    onData = () => (isDown ? Object.assign(new Error('come back later'), { responseCode: 451 }) : undefined);
    await queue({ to: 'ana@example.com' });
    await sender().sendDue();
    const [first] = await rows();
    expect(first).toMatchObject({ attempts: 1, sent_at: null });
    expect(first?.failure).toContain('451');
    expect(first?.due_at?.getTime()).toBe(clock.getTime() + pauseAfter(1));
    expect(await sender().sendDue()).toBe(0);
    later(pauseAfter(1));
    await sender().sendDue();
    expect((await rows())[0]?.due_at?.getTime()).toBe(clock.getTime() + pauseAfter(2));
    isDown = false;
    later(pauseAfter(2));
    await sender().sendDue();
    expect(received).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ failure: null, due_at: null });
  });

  it('waits when the server goes away in the middle of it, or is not there', async () => {
    onRcptTo = (_address, session) => {
      for (const connection of smtp.connections) if (connection.session === session) connection._socket.destroy();
    };
    await queue({ to: 'ana@example.com' });
    await sender().sendDue();
    expect((await rows())[0]).toMatchObject({ attempts: 1, sent_at: null });
    const nowhere = createMailSender({
      db: stores.database,
      transport: createMailTransport({ ...server, url: 'smtp://127.0.0.1:1' }),
      now,
      log,
    });
    later(pauseAfter(1));
    await nowhere.sendDue();
    const [row] = await rows();
    expect(row).toMatchObject({ attempts: 2, sent_at: null, failure: 'ESOCKET' });
    expect(row?.due_at?.getTime()).toBe(clock.getTime() + pauseAfter(2));
  });

  it('is given up after a day, and at once when its recipient does not exist', async () => {
    onRcptTo = ({ address }, _session, done) =>
      done(Object.assign(new Error('refused'), { responseCode: address.startsWith('gone') ? 550 : 450 }));
    await queue({ to: 'gone@example.com' });
    await queue({ to: 'full@example.com' });
    await sender().sendDue();
    expect((await rows()).map(({ recipient, due_at }) => [recipient, due_at === null])).toEqual([
      ['gone@example.com', true],
      ['full@example.com', false],
    ]);
    later(GIVEN_UP_AFTER_MS);
    await sender().sendDue();
    expect(
      (await rows()).every(({ due_at, sent_at, body }) => due_at === null && sent_at === null && body === ''),
    ).toBe(true);
    expect(JSON.stringify(noted)).not.toContain('example.com');
  });

  it('pauses up to an hour', () => {
    expect([1, 2, 3, 8, 30].map(pauseAfter)).toEqual([30_000, 60_000, 120_000, 3_600_000, 3_600_000]);
  });
});

describe('what is written into a mail', () => {
  it.each([
    'ana@example.com\r\nBcc: eve@example.com',
    'ana@example.com, eve@example.com',
    'Ana <ana@example.com>',
    '"ana eve"@example.com',
    'ana@@example.com',
    'ana@example.com\0',
    `${'a'.repeat(10_000)}@example.com`,
    '',
  ])('refuses %j as a recipient', async (to) => {
    await expect(queue({ to })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await rows()).toEqual([]);
  });

  it('cannot become a header or another recipient', async () => {
    await queue({
      to: 'ana@example.com',
      subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nInjected\u2028X-Evil: 1\0',
      text: 'Text\r\n.\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<eve@example.com>\r\nDATA\0',
    });
    await sender().sendDue();
    expect(received.map(({ to }) => to)).toEqual([['ana@example.com']]);
    const [head = ''] = received[0]?.source.split('\r\n\r\n') ?? [];
    expect(head).not.toMatch(/^(bcc|x-evil):/im);
    expect(head.match(/^subject:/gim)).toHaveLength(1);
  });
});

it('stops without waiting for a server that never answers', async () => {
  let asked = false;
  onRcptTo = () => {
    asked = true;
  };
  const module = mailModule();
  await module.start();
  await queue({ to: 'ana@example.com' });
  await expect.poll(() => asked).toBe(true);
  await module.stop();
  expect((await rows())[0]).toMatchObject({ sent_at: null });
});
