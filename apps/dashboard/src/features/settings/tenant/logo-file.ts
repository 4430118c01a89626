import { limits } from '@airdeck/contracts/limits';
import { t } from '../../../language/translate.ts';

const PNG_BEGINS = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export type ReadLogo = { logo: string } | { problem: string };

/** A chosen file as the data URL a logo is sent as, judged by its bytes and not by its name. */
export async function readLogo(file: Blob): Promise<ReadLogo> {
  if (file.size > limits.logoMaxBytes) {
    return { problem: t('The picture has {ceil} kB; 64 kB are the most.', { ceil: Math.ceil(file.size / 1024) }) };
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (PNG_BEGINS.some((byte, index) => bytes[index] !== byte)) return { problem: t('This file is no PNG picture.') };
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { logo: `data:image/png;base64,${btoa(text)}` };
}

/** `#rrggbb` in small letters, from what somebody typed; undefined for anything else. */
export function colourOf(text: string): string | undefined {
  const found = /^#?([0-9a-f]{6})$/.exec(text.trim().toLowerCase());
  return found === null ? undefined : `#${found[1]}`;
}
