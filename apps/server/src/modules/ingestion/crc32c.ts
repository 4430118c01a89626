const POLYNOMIAL = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** CRC-32C (Castagnoli) of the bytes; `from` goes on with the sum of what came before, or starts from a number of one's own. */
export function crc32c(bytes: Uint8Array, from = 0): number {
  let sum = ~from;
  for (let at = 0; at < bytes.length; at++) {
    sum = (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return ~sum >>> 0;
}
