import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

export type SentFile = {
  /** As people named it, with or without its ending. */
  name: string;
  ending: string;
  contentType: string;
  /** Instead of `name`, for a client that reads no name beyond ASCII. */
  plainName: string;
  sizeBytes: number;
  content: Readable;
  signal: AbortSignal;
};

export const pdf = { ending: 'pdf', contentType: 'application/pdf' } as const;

/** Sends a file to be saved, never to be shown: whatever is in it, it does not run in our origin. */
export async function sendFile(reply: FastifyReply, file: SentFile): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': file.contentType,
    'content-length': file.sizeBytes,
    'content-disposition': `attachment; filename="${file.plainName}.${file.ending}"; filename*=UTF-8''${encodedName(file)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  try {
    await pipeline(file.content, reply.raw);
  } catch (error) {
    // The status is out: all that is left is to end the connection, which tells the client that something is missing.
    reply.raw.destroy();
    if (!file.signal.aborted) throw error;
  }
}

/** RFC 8187; a slash or a colon in a name would be a folder or a drive for whoever saves it. */
function encodedName({ name, ending }: SentFile): string {
  const plain = name.replace(/[\\/:*?"<>|]/g, '-');
  const whole = plain.toLowerCase().endsWith(`.${ending}`) ? plain : `${plain}.${ending}`;
  return encodeURIComponent(whole).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
