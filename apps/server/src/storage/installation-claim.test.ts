import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimInstallation } from './installation-claim.ts';
import { createTestDatabase, quietLog, type TestDatabase } from './test-database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase([]);
});
afterAll(() => stores?.close());

const claim = (shared: string[], hasDemo = false) =>
  claimInstallation({ url: stores.url, shared, hasDemo, log: quietLog });

describe('a database that several processes work on', () => {
  it('takes those that share their secrets and files, and nobody with other ones until they are gone', async () => {
    const first = await claim(['secret', 'key', 'files']);
    const second = await claim(['secret', 'key', 'files']);
    await expect(claim(['another', 'key', 'files'])).rejects.toThrow('Another process works on this database');
    await first.release();
    await expect(claim(['secret', 'key', 'other files'])).rejects.toThrow('IDENTITY_SECRET');
    await second.release();
    await (await claim(['another', 'key', 'files'])).release();
  });

  it('takes one demo at a time', async () => {
    const demo = await claim(['secret'], true);
    const beside = await claim(['secret']);
    await expect(claim(['secret'], true)).rejects.toThrow('Set MOCK_DATA to false');
    await demo.release();
    await (await claim(['secret'], true)).release();
    await beside.release();
  });

  it('says nothing of the secrets', async () => {
    const first = await claim(['hidden one']);
    const refused = await claim(['hidden two']).then(String, String);
    expect(refused).not.toContain('hidden');
    await first.release();
  });
});
