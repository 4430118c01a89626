import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReportFormat } from '@airdeck/contracts/reports/schema';
import type { FastifyReply } from 'fastify';

const formats: Readonly<Record<ReportFormat, { type: string; ending: string }>> = {
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv' },
  ndjson: { type: 'application/x-ndjson', ending: 'ndjson' },
  parquet: { type: 'application/vnd.apache.parquet', ending: 'parquet' },
};

/** Sends the file of a report to be saved, never to be shown: whatever is in it, it does not run in our origin. */
export async function sendReport(
  reply: FastifyReply,
  file: { name: string; format: ReportFormat; sizeBytes: number; content: Readable; signal: AbortSignal },
): Promise<void> {
  const { type, ending } = formats[file.format];
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': type,
    'content-length': file.sizeBytes,
    'content-disposition': attachment(file.name, ending),
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

/** `content-disposition` of a file to be saved under a name people gave. */
export function attachment(name: string, ending: string): string {
  return `attachment; filename="report.${ending}"; filename*=UTF-8''${encodedName(name, ending)}`;
}

/** RFC 8187; a slash or a colon in a name would be a folder or a drive for whoever saves it. */
function encodedName(name: string, ending: string): string {
  const plain = name.replace(/[\\/:*?"<>|]/g, '-');
  return encodeURIComponent(`${plain}.${ending}`).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
