import { randomBytes } from 'node:crypto';

let lastMs = 0;
let sequence = 0;

/** UUID v7, increasing within the process. */
export function uuidV7(): string {
  const nowMs = Date.now();
  sequence = nowMs > lastMs ? 0 : sequence + 1;
  lastMs = Math.max(nowMs, lastMs);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | (sequence & 0x0fff), 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
