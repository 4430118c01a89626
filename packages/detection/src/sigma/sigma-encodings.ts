import { Buffer } from 'node:buffer';
import { type EncodingName, encodingNames } from './sigma-modifiers.ts';
import { skipped } from './sigma-problem.ts';

export function isEncoding(name: string): name is EncodingName {
  return (encodingNames as readonly string[]).includes(name);
}

/** The texts a value can stand as once it is encoded, step by step in the order of the modifiers. */
export function encodingsOf(text: string, steps: readonly EncodingName[]): string[] {
  let bytes: Buffer[] = [Buffer.from(text, 'utf8')];
  let readable = true;
  for (const step of steps) {
    bytes = bytes.flatMap((one) => applied(one, step));
    readable = step === 'base64' || step === 'base64offset';
  }
  // Two bytes per letter do not survive in a log, unless as base64.
  if (!readable) throw skipped(`Text as "${steps.at(-1)}" is looked for only inside base64.`);
  return bytes.map((one) => one.toString('latin1'));
}

function applied(bytes: Buffer, step: EncodingName): Buffer[] {
  const wide = () => Buffer.from(bytes.toString('utf8'), 'utf16le');
  switch (step) {
    case 'wide':
    case 'utf16le':
      return [wide()];
    case 'utf16be':
      return [wide().swap16()];
    case 'utf16':
      return [Buffer.concat([Buffer.from([0xff, 0xfe]), wide()])];
    case 'base64':
      return [Buffer.from(bytes.toString('base64'), 'latin1')];
    case 'base64offset':
      return [0, 1, 2].map((offset) => Buffer.from(insideBase64(bytes, offset), 'latin1'));
  }
}

/**
 * What surely stands in the base64 of anything that holds the bytes at a place with this remainder by three: characters
 * that also depend on what comes before or after are left off.
 */
function insideBase64(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const spilled = (bytes.length + offset) % 3;
  const start = offset === 0 ? 0 : offset + 1;
  return encoded.slice(start, spilled === 0 ? undefined : -1);
}
