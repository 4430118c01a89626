/**
 * Envelope encryption of connectors' credentials. Pure: keeps nothing, reads no file.
 *
 * Terms: the key-encryption key (KEK) comes from a provider and never leaves this process; every tenant has one random data
 * key (DEK), stored wrapped by the KEK; every secret is sealed by its tenant's DEK with AES-256-GCM. What a secret belongs
 * to (tenant, connector, field, version, destination) is authenticated with it, so a sealed value that is moved to another
 * row, field or tenant, or whose connector now points to another host, does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Where KEKs come from: a file, the environment, a key service. `get` serves old ids while a rotation is under way. */
export interface KeyProvider {
  current(): Promise<KeyEncryptionKey>;
  get(keyId: string): Promise<KeyEncryptionKey | undefined>;
}

/** `key` has 32 bytes. */
export type KeyEncryptionKey = { readonly id: string; readonly key: Uint8Array };

/** A tenant's data key as it is stored. All parts base64. */
export type WrappedKey = { readonly v: 1; readonly kek: string; readonly iv: string; readonly ct: string };

/** A secret as it is stored. All parts base64. */
export type SealedSecret = { readonly v: 1; readonly iv: string; readonly ct: string; readonly set_at: string };

export type SecretBinding = {
  readonly tenant: string;
  readonly connector: string;
  readonly field: string;
  /** Version of the connector's definition or configuration format the secret was saved under. */
  readonly version: string;
  /** Origin the secret may be sent to (`https://fw.example.net`), empty when the vendor's host is fixed. */
  readonly destination: string;
};

export type SecretErrorCode = 'KEY_UNKNOWN' | 'KEY_NOT_OPENED' | 'SECRET_NOT_OPENED';

/** The message never holds any part of a key or secret. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
  readonly code: SecretErrorCode;

  constructor(code: SecretErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface SecretVault {
  /** A new data key for a tenant, wrapped under the current KEK. */
  createDataKey(tenant: string): Promise<WrappedKey>;
  /** Wraps the same data key under the current KEK: rotation without touching any secret. */
  rewrapDataKey(tenant: string, wrapped: WrappedKey): Promise<WrappedKey>;
  /** Whether the data key opens with a key there is: not where the keys it was wrapped under were lost. */
  opensDataKey(tenant: string, wrapped: WrappedKey): Promise<boolean>;
  seal(wrapped: WrappedKey, binding: SecretBinding, secret: string): Promise<SealedSecret>;
  /** Throws `SecretError` when anything of key, ciphertext or binding does not fit. */
  open(wrapped: WrappedKey, binding: SecretBinding, sealed: SealedSecret): Promise<string>;
}

export type VaultDeps = {
  readonly keys: KeyProvider;
  readonly now: () => Date;
  readonly random?: (size: number) => Uint8Array;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function createSecretVault({ keys, now, random = randomBytes }: VaultDeps): SecretVault {
  async function wrap(tenant: string, dataKey: Uint8Array): Promise<WrappedKey> {
    const kek = await keys.current();
    const iv = random(IV_BYTES);
    const ct = encrypt({ key: kek.key, iv, aad: keyBinding(tenant, kek.id), plain: dataKey });
    return { v: 1, kek: kek.id, iv: base64(iv), ct: base64(ct) };
  }

  async function unwrap(tenant: string, wrapped: WrappedKey): Promise<Uint8Array> {
    const kek = await keys.get(wrapped.kek);
    if (kek === undefined) throw new SecretError('KEY_UNKNOWN', `The key "${wrapped.kek}" is not available.`);
    const plain = decrypt({ key: kek.key, iv: wrapped.iv, aad: keyBinding(tenant, kek.id), ct: wrapped.ct });
    if (plain === undefined) throw new SecretError('KEY_NOT_OPENED', "The tenant's data key could not be opened.");
    return plain;
  }

  return {
    createDataKey: (tenant) => wrap(tenant, random(32)),
    rewrapDataKey: async (tenant, wrapped) => wrap(tenant, await unwrap(tenant, wrapped)),

    async opensDataKey(tenant, wrapped) {
      try {
        await unwrap(tenant, wrapped);
        return true;
      } catch (error) {
        if (error instanceof SecretError) return false;
        throw error;
      }
    },

    async seal(wrapped, binding, secret) {
      const key = await unwrap(binding.tenant, wrapped);
      const iv = random(IV_BYTES);
      const ct = encrypt({ key, iv, aad: secretBinding(binding), plain: Buffer.from(secret, 'utf8') });
      return { v: 1, iv: base64(iv), ct: base64(ct), set_at: now().toISOString() };
    },

    async open(wrapped, binding, sealed) {
      const key = await unwrap(binding.tenant, wrapped);
      const plain = decrypt({ key, iv: sealed.iv, aad: secretBinding(binding), ct: sealed.ct });
      if (plain === undefined) {
        throw new SecretError(
          'SECRET_NOT_OPENED',
          `The secret "${binding.field}" could not be opened. Enter it again.`,
        );
      }
      return Buffer.from(plain).toString('utf8');
    },
  };
}

// A JSON array: no two different bindings can give the same bytes, whatever characters the parts hold.
function keyBinding(tenant: string, kekId: string): Buffer {
  return Buffer.from(JSON.stringify(['data-key', 1, tenant, kekId]), 'utf8');
}

function secretBinding(binding: SecretBinding): Buffer {
  const { tenant, connector, field, version, destination } = binding;
  return Buffer.from(JSON.stringify(['secret', 1, tenant, connector, field, version, destination]), 'utf8');
}

type Encryption = { key: Uint8Array; iv: Uint8Array; aad: Uint8Array; plain: Uint8Array };

function encrypt({ key, iv, aad, plain }: Encryption): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(input: { key: Uint8Array; iv: string; aad: Uint8Array; ct: string }): Uint8Array | undefined {
  const iv = Buffer.from(input.iv, 'base64');
  const sealed = Buffer.from(input.ct, 'base64');
  if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', input.key, iv, { authTagLength: TAG_BYTES }).setAAD(input.aad);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    // Node reports a failed authentication only by throwing; which part did not fit must not be told apart.
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
