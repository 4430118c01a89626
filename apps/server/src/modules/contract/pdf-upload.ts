import type { IncomingMessage } from 'node:http';
import { limits } from '@airdeck/contracts/limits';
import { AppError } from '../../http/app-error.ts';

const MAGIC = Buffer.from('%PDF-');

/** Judged before a byte is read. Throws MEDIA_TYPE_UNSUPPORTED and BODY_TOO_LARGE. */
export function requirePdf({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/pdf') throw notPdf();
  if (Number(headers['content-length'] ?? 0) > limits.contractFileMaxBytes) throw tooLarge();
}

/** The body as it comes, ended with an error as soon as it is not a PDF or larger than it may be. */
export async function* pdfContent(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > limits.contractFileMaxBytes) throw tooLarge();
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < MAGIC.length) continue;
    if (!MAGIC.equals(start.subarray(0, MAGIC.length))) throw notPdf();
    yield start;
    start = undefined;
  }
  if (start !== undefined) throw notPdf();
}

function notPdf(): AppError {
  return new AppError('MEDIA_TYPE_UNSUPPORTED', { message: 'Only PDF files can be added.' });
}

function tooLarge(): AppError {
  return new AppError('BODY_TOO_LARGE', { message: 'The file is larger than 20 MB.' });
}
