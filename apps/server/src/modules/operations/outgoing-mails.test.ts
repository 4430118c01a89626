import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { GIVEN_UP_AFTER_MS } from '../mail/mail-sender.ts';
import { countOutgoing } from './installation-repository.ts';

let stores: TestDatabase;
const at = new Date();
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores?.close());

async function mail(ageMs: number, outcome: { due_at: Date | null; sent_at: Date | null; failure: string | null }) {
  const text = { recipient: 'ana@example.com', subject: 'Case', body: '' };
  const row = { id: v7(), ...text, dedupe_key: null, created_at: new Date(at.getTime() - ageMs), ...outcome };
  await stores.database.system((tx) => tx.insertInto('mail').values(row).execute());
}

describe('mails of the installation', () => {
  it('count those given up for their age as well as those refused, for a day from then on', async () => {
    const givenUp = { due_at: null, sent_at: null, failure: 'ECONNECTION' };
    await mail(HOUR_MS, { ...givenUp, failure: 'EENVELOPE 550' });
    await mail(GIVEN_UP_AFTER_MS + HOUR_MS, givenUp);
    await mail(2 * GIVEN_UP_AFTER_MS + HOUR_MS, givenUp);
    await mail(HOUR_MS, { due_at: at, sent_at: null, failure: 'ECONNECTION' });
    await mail(HOUR_MS, { due_at: null, sent_at: at, failure: null });
    expect(await stores.database.system((tx) => countOutgoing(tx, at))).toEqual({
      mails: 1,
      mails_failed: 2,
      notices: 0,
    });
  });
});
