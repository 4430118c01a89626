/**
 * Between the JSON of WebAuthn options and answers (what the server speaks) and the browser's binary form. Written out
 * because `parseRequestOptionsFromJSON` and `toJSON` are missing from browsers still in use.
 */
import { IdentityError } from './identity-provider.ts';

/** The two calls of `navigator.credentials` that are used. */
export type PasskeyContainer = {
  create(options: CredentialCreationOptions): Promise<Credential | null>;
  get(options: CredentialRequestOptions): Promise<Credential | null>;
};

type Json = Readonly<Record<string, unknown>>;

/** Asks for a passkey of this site and signs the challenge with it. @throws IdentityError PASSKEY_FAILED */
export async function presentPasskey(container: PasskeyContainer | undefined, options: unknown): Promise<Json> {
  const given = record(options);
  const credential = await ceremony(container, (browser) =>
    browser.get({
      publicKey: {
        ...given,
        challenge: bytes(given.challenge),
        allowCredentials: descriptors(given.allowCredentials),
      } as unknown as PublicKeyCredentialRequestOptions,
    }),
  );
  const response = credential.response as AuthenticatorAssertionResponse;
  return answerOf(credential, {
    authenticatorData: base64url(response.authenticatorData),
    signature: base64url(response.signature),
    ...(response.userHandle === null ? {} : { userHandle: base64url(response.userHandle) }),
  });
}

/** Makes a passkey. @throws IdentityError PASSKEY_FAILED, also when the person cancels */
export async function createPasskey(container: PasskeyContainer | undefined, options: unknown): Promise<Json> {
  const given = record(options);
  const credential = await ceremony(container, (browser) =>
    browser.create({
      publicKey: {
        ...given,
        challenge: bytes(given.challenge),
        user: { ...record(given.user), id: bytes(record(given.user).id) },
        excludeCredentials: descriptors(given.excludeCredentials),
      } as unknown as PublicKeyCredentialCreationOptions,
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return answerOf(credential, {
    attestationObject: base64url(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

async function ceremony(
  container: PasskeyContainer | undefined,
  run: (container: PasskeyContainer) => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  if (container === undefined) throw new IdentityError('NOT_SUPPORTED');
  try {
    const credential = await run(container);
    if (credential === null) throw new IdentityError('PASSKEY_FAILED');
    return credential as PublicKeyCredential;
  } catch (cause) {
    // Cancelled, timed out, wrong site, already registered: the browser does not tell which, on purpose.
    throw cause instanceof IdentityError ? cause : new IdentityError('PASSKEY_FAILED', { cause });
  }
}

function answerOf(credential: PublicKeyCredential, response: Json): Json {
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { clientDataJSON: base64url(credential.response.clientDataJSON), ...response },
  };
}

function descriptors(value: unknown) {
  return Array.isArray(value) ? value.map((entry) => ({ ...record(entry), id: bytes(record(entry).id) })) : [];
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  if (typeof value !== 'string') throw new IdentityError('UNEXPECTED');
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function base64url(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
