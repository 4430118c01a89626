import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** A link to a file opens it for whoever has it, for two minutes unless said. */
export const LINK_LIVES_MS = 120_000;

const ID_BYTES = 16;
const TIME_BYTES = 6;
const FIELDS_BYTES = 2 * ID_BYTES + TIME_BYTES;
const MAC_BYTES = 32;

export type FileLinks = {
  /** The last part of the address; letters, digits, `-` and `_`. Lives `LINK_LIVES_MS` unless said. */
  sign(file: { tenant: string; id: string }, livesMs?: number): string;
  /** Undefined for anything that was not signed here or is too old. */
  verify(link: string): { tenant: string; id: string } | undefined;
};

/** Tenant, file and end of the link as bytes, followed by their HMAC. The key is for links only. */
export function createFileLinks({ secret, now }: { secret: string; now: () => Date }): FileLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'file links', MAC_BYTES));
  const macOf = (fields: Buffer) => createHmac('sha256', key).update(fields).digest();
  return {
    sign({ tenant, id }, livesMs = LINK_LIVES_MS) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now().getTime() + livesMs, 0, TIME_BYTES);
      const fields = Buffer.concat([idBytes(tenant), idBytes(id), time]);
      return Buffer.concat([fields, macOf(fields)]).toString('base64url');
    },
    verify(link) {
      const bytes = Buffer.from(link, 'base64url');
      // One spelling only: decoding forgives characters that do not belong there.
      if (bytes.length !== FIELDS_BYTES + MAC_BYTES || bytes.toString('base64url') !== link) return undefined;
      const fields = bytes.subarray(0, FIELDS_BYTES);
      if (!timingSafeEqual(macOf(fields), bytes.subarray(FIELDS_BYTES))) return undefined;
      if (fields.readUIntBE(2 * ID_BYTES, TIME_BYTES) <= now().getTime()) return undefined;
      return { tenant: idText(fields.subarray(0, ID_BYTES)), id: idText(fields.subarray(ID_BYTES, 2 * ID_BYTES)) };
    },
  };
}

function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

function idText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
