/**
 * Key and certificate for trying encrypted syslog on one's own machine, where nobody issues certificates for it. They stay
 * in the data folder, so that what a sender was told to trust is still there after a restart.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

const DAY_MS = 86_400_000;
/** What browsers and TLS libraries take of a certificate at most. */
const LIVES_DAYS = 825;
/** Made anew before it ends under somebody's hands. */
const RENEWED_DAYS = 30;
const COMMON_NAME_OID = '2.5.4.3';
const ECDSA_SHA256_OID = '1.2.840.10045.4.3.2';
const SERIAL_BYTES = 16;

type Identity = { key: Buffer; cert: Buffer; certFile: string };

export function selfMadeIdentity(deps: {
  dataDir: string;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
}): Identity {
  const folder = join(deps.dataDir, 'syslog-tls');
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const known = readKnown(keyFile, certFile);
  if (known !== undefined && isGood(known, deps.now())) return { ...known, certFile };
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const cert = pemOf(certificate({ privateKey, publicKey, now: deps.now(), serial: deps.randomBytes(SERIAL_BYTES) }));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A crash between the two leaves a pair that does not fit, which the next start replaces.
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  return { key, cert, certFile };
}

function readKnown(keyFile: string, certFile: string): { key: Buffer; cert: Buffer } | undefined {
  try {
    return { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  } catch {
    // None was made yet; what cannot be read is made anew.
    return undefined;
  }
}

function isGood({ key, cert }: { key: Buffer; cert: Buffer }, now: Date): boolean {
  try {
    const made = new X509Certificate(cert);
    const ends = Date.parse(made.validTo) - RENEWED_DAYS * DAY_MS;
    return made.checkPrivateKey(createPrivateKey(key)) && now.getTime() < ends;
  } catch {
    return false;
  }
}

type Parts = { privateKey: KeyObject; publicKey: KeyObject; now: Date; serial: Buffer };

/** Its own authority, for the names this machine has for itself. */
function certificate({ privateKey, publicKey, now, serial }: Parts): Buffer {
  const name = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: COMMON_NAME_OID,
        value: new AttributeValue({ utf8String: 'syslog on this machine' }),
      }),
    ]),
  ]);
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_SHA256_OID });
  const names = [
    new GeneralName({ dNSName: 'localhost' }),
    new GeneralName({ iPAddress: '127.0.0.1' }),
    new GeneralName({ iPAddress: '::1' }),
  ];
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: bytesOf(positive(serial)),
    signature: algorithm,
    issuer: name,
    subject: name,
    validity: new Validity({
      notBefore: new Date(now.getTime() - DAY_MS),
      notAfter: new Date(now.getTime() + LIVES_DAYS * DAY_MS),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo),
    extensions: new Extensions([
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names)),
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
    ]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), privateKey);
  return Buffer.from(
    AsnConvert.serialize(
      new Certificate({
        tbsCertificate: body,
        signatureAlgorithm: algorithm,
        signatureValue: bytesOf(signature),
      }),
    ),
  );
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** A serial number is a positive integer: not with its highest bit, nor with a leading zero byte. */
function positive(serial: Buffer): Buffer {
  const [first = 0] = serial;
  return Buffer.concat([Buffer.from([(first & 0x7f) | 0x40]), serial.subarray(1)]);
}

function bytesOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function pemOf(der: Buffer): Buffer {
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return Buffer.from(`-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`);
}
