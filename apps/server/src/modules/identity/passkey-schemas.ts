import { z } from 'zod';

/** What browsers send of a passkey, with a bound on everything; what the checks do not need is dropped. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'Base64url.');

const CREDENTIAL_ID_MAX = 1400;
const CLIENT_DATA_MAX = 4000;
const AUTHENTICATOR_DATA_MAX = 4000;
const ATTESTATION_MAX = 20_000;
const SIGNATURE_MAX = 2000;
const USER_HANDLE_MAX = 100;

const credential = {
  id: base64url(CREDENTIAL_ID_MAX),
  rawId: base64url(CREDENTIAL_ID_MAX),
  type: z.literal('public-key'),
};

// Extensions are never asked for, so whatever is said about them does not matter.
const noExtensions = z.unknown().transform(() => ({}));

export const assertionSchema = z.object({
  ...credential,
  clientExtensionResults: noExtensions,
  response: z.object({
    clientDataJSON: base64url(CLIENT_DATA_MAX),
    authenticatorData: base64url(AUTHENTICATOR_DATA_MAX),
    signature: base64url(SIGNATURE_MAX),
    userHandle: base64url(USER_HANDLE_MAX),
  }),
});

export const attestationSchema = z.object({
  ...credential,
  clientExtensionResults: noExtensions,
  response: z.object({
    clientDataJSON: base64url(CLIENT_DATA_MAX),
    attestationObject: base64url(ATTESTATION_MAX),
    transports: z
      .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']).catch('hybrid'))
      .max(10)
      .default([]),
  }),
});
