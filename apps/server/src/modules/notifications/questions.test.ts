import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asked, createNotificationsFixture, type NotificationsFixture, wants } from './notifications-fixture.ts';
import { answerLinksOf } from './question-links.ts';

let fixture: NotificationsFixture;
let tenant: string;

beforeAll(async () => {
  fixture = await createNotificationsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = await fixture.tenant();
  fixture.later(3_600_000);
});

const settle = (promptId: string) =>
  fixture.db.tenant(tenant, (tx) => fixture.module.notices.settle(tx, { tenant, promptId }));
const reads = async (user: { id: string }) => (await fixture.inbox(user.id)).map(({ read_at }) => read_at !== null);

it('a question all of whose approvers have left, or only read by now, is shown to the Admins, who can cancel its run', async () => {
  const inMail = wants('prompt_waiting', 'mail');
  const [admin, analyst] = [await fixture.person(tenant, 'Admin', inMail), await fixture.person(tenant, 'Analyst')];
  const reader = await fixture.person(tenant, 'ReadOnly', inMail);
  await fixture.tell(asked(tenant, { approvers: { usernames: ['gone@example.com', reader.email] } }));
  await fixture.work();
  expect(await fixture.inbox(admin.id)).toMatchObject([{ kind: 'prompt_waiting' }]);
  expect(await fixture.mails(admin.email)).toEqual([]);
  for (const { id, email } of [analyst, reader]) {
    expect(await fixture.inbox(id)).toEqual([]);
    expect(await fixture.mails(email)).toEqual([]);
  }
});

describe('a question one of whose approvers leaves later', () => {
  const inMail = wants('prompt_waiting', 'mail', 'in_app');
  type Person = { id: string; email: string };
  let [admin, ana, bo] = [] as unknown as [Person, Person, Person];
  let question: ReturnType<typeof asked>;

  beforeEach(async () => {
    admin = await fixture.person(tenant, 'Admin', wants('prompt_waiting'));
    [ana, bo] = [await fixture.person(tenant, 'Analyst', inMail), await fixture.person(tenant, 'Analyst', inMail)];
    question = asked(tenant, { approvers: { usernames: [ana.email, bo.email] } });
    await fixture.tell(question);
  });

  const leaves = (person: Person, beforeTheEnd = async () => undefined as unknown) =>
    fixture.db.system(async (tx) => {
      await tx.deleteFrom('membership').where('user_id', '=', person.id).execute();
      await fixture.module.notices.tell(tx, { ...question, isAskedBefore: true });
      await beforeTheEnd();
    });
  const heard = async () => {
    const inboxes = [admin, ana, bo].map(async ({ id }) => (await fixture.inbox(id)).length);
    const mails = [admin, ana, bo].map(async ({ email }) => (await fixture.mails(email)).length);
    return { inboxes: await Promise.all(inboxes), mails: await Promise.all(mails) };
  };

  it('is told to nobody again while somebody is left, and then to the Admins, once', async () => {
    await fixture.work();
    const asAsked = { inboxes: [0, 1, 1], mails: [0, 1, 1] };
    expect(await heard()).toEqual(asAsked);
    await leaves(bo);
    await fixture.work();
    expect(await heard()).toEqual(asAsked);
    for (let times = 0; times < 2; times++) {
      await leaves(ana);
      await fixture.work();
      expect(await heard()).toEqual({ ...asAsked, inboxes: [1, 1, 1] });
    }
    expect(await fixture.inbox(admin.id)).toMatchObject([{ prompt_id: question.promptId, read_at: null }]);
  });

  it('is told as it was asked where it was not told yet', async () => {
    await leaves(bo);
    await fixture.work();
    expect(await heard()).toEqual({ inboxes: [0, 1, 0], mails: [0, 1, 0] });
    await leaves(ana);
    await fixture.work();
    expect(await heard()).toEqual({ inboxes: [1, 1, 0], mails: [0, 1, 0] });
  });

  it('is told to the Admins when the last two leave at the same time', async () => {
    await fixture.work();
    const seen: number[][] = [];
    let second: Promise<void> | undefined;
    await leaves(ana, async () => {
      second = leaves(bo, async () => {
        // Who is left is not judged before the second has left.
        await fixture.work();
        seen.push((await heard()).inboxes);
      });
    });
    await second;
    expect(seen).toEqual([[0, 1, 1]]);
    await fixture.work();
    expect((await heard()).inboxes).toEqual([1, 1, 1]);
  });

  it('that nobody could answer when it was asked is not told twice', async () => {
    await leaves(ana);
    await leaves(bo);
    await fixture.work();
    await leaves(ana);
    await fixture.work();
    expect((await heard()).inboxes).toEqual([1, 0, 0]);
  });

  it('whose change is rolled back is not told', async () => {
    await fixture.work();
    const failing = fixture.db.system(async (tx) => {
      await tx.deleteFrom('membership').where('user_id', 'in', [ana.id, bo.id]).execute();
      await fixture.module.notices.tell(tx, { ...question, isAskedBefore: true });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await fixture.work();
    expect((await heard()).inboxes).toEqual([0, 1, 1]);
  });
});

describe('a mail about a question', () => {
  const inMail = wants('prompt_waiting', 'mail');

  it('has a link for each answer, on a line of its own, that its reader alone can use', async () => {
    const [ana, bo] = [await fixture.person(tenant, 'Analyst', inMail), await fixture.person(tenant, 'Admin', inMail)];
    const question = asked(tenant);
    await fixture.tell(question);
    await fixture.work();
    const bodyOf = async (user: { email: string }) => (await fixture.mails(user.email))[0]?.body ?? '';
    const tokens = [...(await bodyOf(ana)).matchAll(/^(.+):\nhttps:\/\/air\.example(\/activity\S+)$/gm)].flatMap(
      ([, label = '', link = '']) => {
        const url = new URL(link, 'https://air.example');
        expect(url.pathname).toBe(`/activity/playbooks/${question.runId}`);
        expect(url.searchParams.get('prompt')).toBe(question.promptId);
        const token = url.searchParams.get('answer');
        return token === null ? [] : [{ label, token }];
      },
    );
    expect(tokens.map(({ label }) => label)).toEqual(['Block', 'Leave it']);
    const [{ token = '' } = {}] = tokens;
    const whose = { tenant, prompt: question.promptId };
    expect(await fixture.answerLinks.read(token, { ...whose, user: ana.id })).toMatchObject({ option: 'block' });
    expect(await fixture.answerLinks.read(token, { ...whose, user: bo.id })).toBeUndefined();
    expect(await bodyOf(bo)).not.toContain(token);
  });

  it('has links that end with the question, and after a week at the latest', () => {
    const told = new Date('2026-11-21T12:00:00.000Z');
    const endsOf = (expires_at: string | null) => {
      const row = { tenant_id: tenant, user_id: v7(), prompt_id: v7(), link: '/x?prompt=1', created_at: told };
      const ends: string[] = [];
      answerLinksOf({ ...row, question: { options: [{ value: 'a', label: 'A' }], expires_at } }, (answer) => {
        ends.push(answer.expiresAt.toISOString());
        return '';
      });
      return ends;
    };
    expect(endsOf('2026-11-21T13:00:00.000Z')).toEqual(['2026-11-21T13:00:00.000Z']);
    expect(endsOf('2026-12-21T12:00:00.000Z')).toEqual(['2026-11-28T12:00:00.000Z']);
    expect(endsOf(null)).toEqual(['2026-11-28T12:00:00.000Z']);
  });

  it('has links that tell which answer the playbook marks as dangerous', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const options = [
      { value: 'block', label: 'Block', style: 'danger' },
      { value: 'ignore', label: 'Leave it', style: 'primary' },
    ];
    await fixture.tell(asked(tenant, { options }));
    await fixture.work();
    const [notice] = await fixture.inbox(ana.id);
    if (notice === undefined) throw new Error('Nothing was told.');
    expect(answerLinksOf(notice, () => '').map(({ label, danger }) => [label, danger])).toEqual([
      ['Block', true],
      ['Leave it', undefined],
    ]);
  });

  it('is not written any more once the question is over', async () => {
    const ana = await fixture.person(tenant, 'Analyst', { ...inMail, digest: 'hourly' });
    const question = asked(tenant);
    await fixture.tell(question);
    await fixture.work();
    await settle(question.promptId);
    await fixture.work();
    fixture.later(3_600_000);
    await fixture.work();
    expect(await fixture.mails(ana.email)).toEqual([]);
    expect(await fixture.deliveries()).toEqual([]);
  });
});

describe('the end of a question', () => {
  it('is the end of its notices for everybody, and of no other', async () => {
    const [ana, bo] = [await fixture.person(tenant, 'Analyst'), await fixture.person(tenant, 'Analyst')];
    const [over, open] = [asked(tenant), asked(tenant)];
    for (const question of [over, open]) await fixture.tell(question);
    await fixture.work();
    await settle(over.promptId);
    await fixture.work();
    for (const user of [ana, bo]) expect(await reads(user)).toEqual([true, false]);
  });

  it('before anybody was told tells nobody', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const question = asked(tenant);
    await fixture.tell(question);
    await settle(question.promptId);
    const ends = fixture.db.system((tx) => tx.selectFrom('notification_end').selectAll().execute());
    expect(await ends).toHaveLength(1);
    await fixture.work();
    for (const one of await reads(ana)) expect(one).toBe(true);
    expect(await fixture.db.system((tx) => tx.selectFrom('notification_end').selectAll().execute())).toEqual([]);
  });

  it('of another tenant changes nothing', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const question = asked(tenant);
    await fixture.tell(question);
    await fixture.work();
    const other = await fixture.tenant();
    await fixture.db.tenant(other, (tx) =>
      fixture.module.notices.settle(tx, { tenant: other, promptId: question.promptId }),
    );
    await fixture.work();
    expect(await reads(ana)).toEqual([false]);
  });

  it('leaves no open notice behind, however many processes tell and end at the same time', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const questions = Array.from({ length: 60 }, () => asked(tenant));
    const workers = [fixture.start(), fixture.start(), fixture.module];
    let going = true;
    const working = workers.map(async (one) => {
      while (going) await one.round();
    });
    await Promise.all(
      questions.map(async (question) => {
        await fixture.tell(question);
        await settle(question.promptId);
      }),
    );
    going = false;
    await Promise.all(working);
    await fixture.work();
    expect((await reads(ana)).every(Boolean)).toBe(true);
    expect(await fixture.db.system((tx) => tx.selectFrom('notification_event').selectAll().execute())).toEqual([]);
  });

  it('that is rolled back with its answer ends nothing', async () => {
    const ana = await fixture.person(tenant, 'Analyst');
    const question = asked(tenant);
    await fixture.tell(question);
    await fixture.work();
    const failing = fixture.db.tenant(tenant, async (tx) => {
      await fixture.module.notices.settle(tx, { tenant, promptId: question.promptId });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await fixture.work();
    expect(await reads(ana)).toEqual([false]);
  });
});
