import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { createMailModule } from './mail-module.ts';
import type { NewMail } from './mail-port.ts';
import type { Words } from './mail-words.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());

function queue(at: TestServer, subject: string) {
  return at.stores.database.system((tx) =>
    at.composition.mail.queue(tx, { to: 'ana@example.com', write: () => ({ subject, text: `Text of ${subject}` }) }),
  );
}

describe('the outbox', () => {
  it('keeps mails that no server takes, and shows the newest fifty at stage local', async () => {
    for (let n = 1; n <= 55; n++) await queue(server, `Mail ${n}`);
    const answer = await server.inject({ url: '/demo/outbox' });
    const mails = answer.json<{ subject: string; to: string; text: string }[]>();
    expect(mails).toHaveLength(50);
    expect(mails[0]).toMatchObject({ to: 'ana@example.com', subject: 'Mail 55', text: 'Text of Mail 55' });
    const waiting = await server.stores.database.system((tx) =>
      tx.selectFrom('mail').select('id').where('due_at', 'is not', null).execute(),
    );
    expect(waiting).toEqual([]);
  });

  it('is not shown to a page that calls itself by another name', async () => {
    const answer = await server.inject({ url: '/demo/outbox', headers: { host: 'evil.example' } });
    expect(answer.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
  });

  it.each([
    ['at stage dev', { TARGET_STAGE: 'dev' }],
    ['at stage prod', { TARGET_STAGE: 'prod' }],
    ['without demo data', { MOCK_DATA: 'false' }],
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@example.com' }],
  ])('is not there %s', async (_when, env) => {
    const other = await createTestServer({ env });
    expect((await other.inject({ url: '/demo/outbox' })).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    await other.close();
  });
});

describe('a mail', () => {
  const written = async (to: string, from: Pick<NewMail, 'reader' | 'sender' | 'tenant'> = {}) => {
    const write = ({ say }: Words) => ({ subject: say('Your code is {code}.', { code: to }), text: '' });
    const { database } = server.stores;
    await database.system((tx) => server.composition.mail.queue(tx, { ...from, to, write }));
    const mails = await database.system((tx) =>
      tx.selectFrom('mail').select('subject').where('recipient', '=', to).execute(),
    );
    return mails.map(({ subject }) => subject);
  };
  const portuguese = { locale: 'pt-BR', timeZone: '' };

  it('is written in the language of the account it goes to, whatever the browser asks for', async () => {
    const tenant = await server.createTenant();
    const { email } = await server.createActor({ home: tenant });
    await server.stores.database.system((tx) =>
      tx.updateTable('app_user').set({ locale: 'pt-BR' }).where('email', '=', email).execute(),
    );
    expect(await written(email, { reader: { locale: 'en-US', timeZone: '' } })).toEqual([`Seu código é ${email}.`]);
  });

  it('to somebody without an account is written in the language of the browser, else in English', async () => {
    expect(await written('new@example.com', { reader: portuguese })).toEqual(['Seu código é new@example.com.']);
    expect(await written('contact@example.com')).toEqual(['Your code is contact@example.com.']);
  });

  it('to somebody of whom nothing is known is written as its sender reads, else as the first Admin of its tenant', async () => {
    const tenant = await server.createTenant();
    const speaking = async (locale: string, role: 'Admin' | 'Analyst') => {
      const actor = await server.createActor({ home: tenant, roles: { [tenant]: role } });
      await server.stores.database.system((tx) =>
        tx.updateTable('app_user').set({ locale }).where('id', '=', actor.id).execute(),
      );
      return actor.email;
    };
    await speaking('en-US', 'Analyst');
    expect(await written('early@example.com', { tenant })).toEqual(['Your code is early@example.com.']);
    await speaking('pt-BR', 'Admin');
    const sender = await speaking('en-CA', 'Admin');
    expect(await written('chief@example.com', { tenant })).toEqual(['Seu código é chief@example.com.']);
    expect(await written('guest@example.com', { tenant, sender })).toEqual(['Your code is guest@example.com.']);
    expect(await written('other@example.com', { tenant, sender: 'gone@example.com' })).toEqual([
      'Seu código é other@example.com.',
    ]);
  });
});

const warnings: string[] = [];

it('forgets what is thirty days old when a process starts', async () => {
  await queue(server, 'Recent');
  await server.stores.database.system((tx) =>
    tx
      .updateTable('mail')
      .set({ created_at: new Date(Date.now() - 31 * 24 * 3_600_000) })
      .where('subject', '<>', 'Recent')
      .execute(),
  );
  const again = createMailModule({
    db: server.stores.database,
    server: undefined,
    sends: true,
    showsOutbox: false,
    warnsWithoutServer: true,
    own: { publicUrl: undefined, listensOnLoopback: true },
    ids: v7,
    now: () => new Date(),
    log: { warn: (_fields, message) => void warnings.push(message), error: () => undefined },
  });
  await again.start();
  const subjects = () => server.stores.database.system((tx) => tx.selectFrom('mail').select('subject').execute());
  await expect.poll(subjects).toEqual([{ subject: 'Recent' }]);
  await again.stop();
  // Said once, where nobody could read the outbox.
  expect(warnings).toEqual(['no mail server (SMTP_URL): invitations and codes reach nobody']);
});
