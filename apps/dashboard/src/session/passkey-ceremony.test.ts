import { expect, test } from 'vitest';
import { IdentityError } from './identity-provider.ts';
import { createPasskey, type PasskeyContainer, presentPasskey } from './passkey-ceremony.ts';

const bytes = (...values: number[]) => Uint8Array.from(values).buffer;
const never = () => Promise.reject(new Error('not asked for'));

test('options reach the browser as bytes, and its answer the server as base64url without padding', async () => {
  let given: CredentialRequestOptions | undefined;
  const container: PasskeyContainer = {
    create: never,
    get: async (options) => {
      given = options;
      return {
        id: '_-8',
        rawId: bytes(0xff, 0xef),
        type: 'public-key',
        authenticatorAttachment: null,
        getClientExtensionResults: () => ({}),
        response: {
          clientDataJSON: bytes(1),
          authenticatorData: bytes(2, 3),
          signature: bytes(0xfb, 0xff),
          userHandle: null,
        },
      } as unknown as Credential;
    },
  };
  const answer = await presentPasskey(container, {
    challenge: '-_8',
    rpId: 'air.example',
    allowCredentials: [{ id: 'AQ', type: 'public-key' }],
  });
  expect(new Uint8Array(given?.publicKey?.challenge as ArrayBuffer)).toEqual(Uint8Array.from([0xfb, 0xff]));
  expect(given?.publicKey?.rpId).toBe('air.example');
  expect(given?.publicKey?.allowCredentials?.[0]).toEqual({ id: Uint8Array.from([1]), type: 'public-key' });
  expect(answer).toMatchObject({
    id: '_-8',
    rawId: '_-8',
    response: { clientDataJSON: 'AQ', authenticatorData: 'AgM', signature: '-_8' },
  });
  expect(JSON.stringify(answer)).not.toContain('userHandle');
});

test.each([
  ['cancelled', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
  ['nothing chosen', () => Promise.resolve(null)],
])('%s is one plain failure', async (_, create) => {
  const work = createPasskey({ get: never, create }, { challenge: 'AQ', user: { id: 'AQ' } });
  await expect(work).rejects.toMatchObject({ code: 'PASSKEY_FAILED' });
});

test('a browser without passkeys, and options that are none, are told apart', async () => {
  await expect(presentPasskey(undefined, {})).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
  await expect(presentPasskey({ get: never, create: never }, {})).rejects.toBeInstanceOf(IdentityError);
});
