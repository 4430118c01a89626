import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { KeyProvider, SealedSecret, SecretBinding, SecretErrorCode, WrappedKey } from './secrets.ts';
import { createSecretVault, SecretError } from './secrets.ts';

const now = () => new Date('2026-11-20T12:00:00Z');
const binding: SecretBinding = {
  tenant: 'tenant-a',
  connector: 'connector-1',
  field: 'api_key',
  version: '1',
  destination: 'https://fw.example.net',
};

function keyring(...ids: string[]): KeyProvider & { rotateTo(id: string): void; forget(id: string): void } {
  const keys = new Map(ids.map((id) => [id, { id, key: randomBytes(32) }]));
  let current = ids[0] ?? '';
  return {
    current: async () => keys.get(current) ?? { id: current, key: randomBytes(32) },
    get: async (id) => keys.get(id),
    rotateTo(id) {
      keys.set(id, { id, key: randomBytes(32) });
      current = id;
    },
    forget: (id) => void keys.delete(id),
  };
}

async function codeOf(work: Promise<unknown>): Promise<SecretErrorCode | 'opened'> {
  try {
    await work;
    return 'opened';
  } catch (error) {
    expect(error).toBeInstanceOf(SecretError);
    return (error as SecretError).code;
  }
}

describe('sealing', () => {
  it('gives back what was sealed and shows nothing of it', async () => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const secret = 'gl-secret-ü-value';
    const sealed = await vault.seal(dataKey, binding, secret);
    expect(await vault.open(dataKey, binding, sealed)).toBe(secret);
    expect(sealed.set_at).toBe('2026-11-20T12:00:00.000Z');
    expect(JSON.stringify({ sealed, dataKey })).not.toContain(secret);
    expect(JSON.stringify(sealed)).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
  });

  it('never seals the same secret to the same bytes', async () => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const sealed = await Promise.all(Array.from({ length: 50 }, () => vault.seal(dataKey, binding, 'same')));
    expect(new Set(sealed.map((one) => one.iv)).size).toBe(50);
    expect(new Set(sealed.map((one) => one.ct)).size).toBe(50);
  });

  it.each<[keyof SecretBinding, string]>([
    ['tenant', 'tenant-b'],
    ['connector', 'connector-2'],
    ['field', 'other_key'],
    ['version', '2'],
    ['destination', 'https://attacker.example'],
  ])('does not open for another %s, so a stolen row is of no use elsewhere', async (part, value) => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const sealed = await vault.seal(dataKey, binding, 'secret');
    expect(await codeOf(vault.open(dataKey, { ...binding, [part]: value }, sealed))).not.toBe('opened');
  });

  it('does not open when ciphertexts of two fields are swapped', async () => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const other = { ...binding, field: 'password' };
    const [first, second] = [await vault.seal(dataKey, binding, 'one'), await vault.seal(dataKey, other, 'two')];
    expect(await codeOf(vault.open(dataKey, binding, second))).toBe('SECRET_NOT_OPENED');
    expect(await codeOf(vault.open(dataKey, other, first))).toBe('SECRET_NOT_OPENED');
  });

  it('cannot be confused by parts that run into each other', async () => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const sealed = await vault.seal(dataKey, { ...binding, connector: 'a","b', field: 'c' }, 'secret');
    expect(await codeOf(vault.open(dataKey, { ...binding, connector: 'a', field: 'b","c' }, sealed))).toBe(
      'SECRET_NOT_OPENED',
    );
  });

  it.each<[string, (sealed: SealedSecret) => SealedSecret]>([
    ['a flipped bit', (sealed) => ({ ...sealed, ct: flip(sealed.ct, 0) })],
    ['a flipped bit of the tag', (sealed) => ({ ...sealed, ct: flip(sealed.ct, -1) })],
    ['another nonce', (sealed) => ({ ...sealed, iv: flip(sealed.iv, 0) })],
    ['a cut tag', (sealed) => ({ ...sealed, ct: Buffer.from(sealed.ct, 'base64').subarray(0, -8).toString('base64') })],
    ['nothing', (sealed) => ({ ...sealed, ct: '' })],
    ['a short nonce', (sealed) => ({ ...sealed, iv: 'AAAA' })],
  ])('does not open with %s', async (_what, change) => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    const sealed = await vault.seal(dataKey, binding, 'secret');
    expect(await codeOf(vault.open(dataKey, binding, change(sealed)))).toBe('SECRET_NOT_OPENED');
  });
});

describe("a tenant's data key", () => {
  it("does not open as another tenant's", async () => {
    const vault = createSecretVault({ keys: keyring('k1'), now });
    const dataKey = await vault.createDataKey('tenant-a');
    expect(await codeOf(vault.seal(dataKey, { ...binding, tenant: 'tenant-b' }, 'x'))).toBe('KEY_NOT_OPENED');
  });

  it('moves to a new key without touching the secrets, and then no longer needs the old one', async () => {
    const keys = keyring('k1');
    const vault = createSecretVault({ keys, now });
    const old = await vault.createDataKey('tenant-a');
    const sealed = await vault.seal(old, binding, 'secret');
    keys.rotateTo('k2');
    expect(await vault.open(old, binding, sealed)).toBe('secret');
    const moved: WrappedKey = await vault.rewrapDataKey('tenant-a', old);
    keys.forget('k1');
    expect(moved.kek).toBe('k2');
    expect(await vault.open(moved, binding, sealed)).toBe('secret');
    expect(await codeOf(vault.open(old, binding, sealed))).toBe('KEY_UNKNOWN');
  });

  it('cannot be relabelled to another key id', async () => {
    const keys = keyring('k1', 'k2');
    const vault = createSecretVault({ keys, now });
    const dataKey = await vault.createDataKey('tenant-a');
    expect(await codeOf(vault.rewrapDataKey('tenant-a', { ...dataKey, kek: 'k2' }))).toBe('KEY_NOT_OPENED');
  });
});

function flip(base64: string, at: number): string {
  const bytes = Buffer.from(base64, 'base64');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64');
}
