import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { attachment } from '../modules/reports/send-report.ts';

/** Sends a file to be saved; shown within a page of ours it would have no scripts. */
export async function sendPdf(
  reply: FastifyReply,
  file: { name: string; sizeBytes: number; content: Readable; signal: AbortSignal },
): Promise<void> {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'application/pdf',
    'content-length': file.sizeBytes,
    'content-disposition': attachment(file.name, 'pdf'),
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
