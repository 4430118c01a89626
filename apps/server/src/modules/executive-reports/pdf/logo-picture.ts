const PREFIX = 'data:image/png;base64,';
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A small file can claim to be a picture of gigabytes, and is unpacked whole. */
const PIXELS_MAX = 4_000_000;

/** The bytes of a tenant's logo; undefined for one that is no PNG, or too large to be a logo on paper. */
export function logoPicture(dataUrl: string | null): Buffer | undefined {
  if (dataUrl === null || !dataUrl.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(dataUrl.slice(PREFIX.length), 'base64');
  // Signature, then the header: length and name of eight bytes, width, height.
  if (bytes.length < 33 || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return width > 0 && height > 0 && width * height <= PIXELS_MAX ? bytes : undefined;
}
