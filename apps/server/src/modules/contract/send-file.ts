import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';

/** Sends a stored file to be saved, never to be shown: whatever is in it, it does not run in our origin. */
export async function sendFile(
  reply: FastifyReply,
  file: { name: string; sizeBytes: number; content: Readable; signal: AbortSignal },
): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/pdf',
    'content-length': file.sizeBytes,
    'content-disposition': `attachment; filename="contract.pdf"; filename*=UTF-8''${encodedName(file.name)}`,
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

/** RFC 8187. */
function encodedName(name: string): string {
  const withEnding = /\.pdf$/i.test(name) ? name : `${name}.pdf`;
  return encodeURIComponent(withEnding).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
