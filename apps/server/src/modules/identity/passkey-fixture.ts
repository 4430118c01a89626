import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** An authenticator in software, for tests: ES256, no attestation, person verified. */
export type SoftwareAuthenticator = {
  readonly credentialId: string;
  counter: number;
  create(options: { challenge: string; rp: { id?: string }; user: { id: string } }, how?: How): object;
  get(options: { challenge: string; rpId?: string }, how?: How): Assertion;
};

type How = { origin?: string; rpId?: string; userVerified?: boolean; userHandle?: string; credentialId?: string };
type Assertion = {
  id: string;
  rawId: string;
  type: string;
  clientExtensionResults: object;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle: string };
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_INCLUDED = 0x40;

export function createSoftwareAuthenticator(origin = 'http://localhost:80'): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let userHandle = '';

  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));

  const authenticator: SoftwareAuthenticator = {
    credentialId,
    counter: 0,
    create(options, how = {}) {
      userHandle = options.user.id;
      const flags = USER_PRESENT | CREDENTIAL_INCLUDED | (how.userVerified === false ? 0 : USER_VERIFIED);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const data = Buffer.concat([
        authenticatorHead(how.rpId ?? options.rp.id ?? '', flags, authenticator.counter),
        attested,
      ]);
      // { "fmt": "none", "attStmt": {}, "authData": bytes }
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes(data)],
      ]);
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, how.origin).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(options, how = {}) {
      authenticator.counter++;
      const flags = USER_PRESENT | (how.userVerified === false ? 0 : USER_VERIFIED);
      const data = authenticatorHead(how.rpId ?? options.rpId ?? '', flags, authenticator.counter);
      const client = clientData('webauthn.get', options.challenge, how.origin);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const named = how.credentialId ?? credentialId;
      return {
        id: named,
        rawId: named,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
          userHandle: how.userHandle ?? userHandle,
        },
      };
    },
  };
  return authenticator;
}

function authenticatorHead(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

/** CBOR of { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  const { length } = value;
  // In the shortest form, as CBOR wants it here.
  const head = length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}
