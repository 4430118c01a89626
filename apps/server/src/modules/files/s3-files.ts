/**
 * Files as objects of a bucket, `<kind>/<id>`. What fits into one part is one call; more goes up part by part, one part in
 * memory at a time, and is there under its name only when the last call has put it together. A crash in between leaves
 * parts nobody sees; a lifecycle rule of the bucket (AbortIncompleteMultipartUpload) takes those away.
 *
 * An id that is taken is looked for before writing. Ids are random, so nobody writes the same one at the same time; if
 * somebody did, one of them would be kept whole.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { checkFileId, isFileId } from './file-id.ts';
import type { Files } from './files-port.ts';
import { elementOf, refusalOf, type S3Bucket, S3Refusal } from './s3-bucket.ts';

/** S3 takes 10,000 parts of five megabytes and more: files up to 80 GB. */
const PART_BYTES = 8 * 1_048_576;
const PORTION = 500;

export function createS3Files(
  bucket: S3Bucket,
  { prefix, partBytes = PART_BYTES, portion = PORTION }: { prefix: string; partBytes?: number; portion?: number },
): Files {
  const keyOf = (id: string) => `${prefix}/${checkFileId(id)}`;

  async function sizeOf(key: string): Promise<number | undefined> {
    const answer = await bucket.call({ method: 'HEAD', key });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw await refusalOf(answer);
    return Number(answer.headers.get('content-length'));
  }

  async function refuseTaken(key: string, id: string): Promise<void> {
    if ((await sizeOf(key)) !== undefined) throw new Error(`There already is a file ${id}.`);
  }

  /** Every part but the last is full. Resolves with their number and size. */
  async function upload(key: string, parts: AsyncGenerator<Buffer>, first: Buffer): Promise<number> {
    const uploadId = elementOf(await bucket.text({ method: 'POST', key, query: { uploads: '' } }), 'UploadId');
    if (uploadId === undefined) throw new Error('The file store began no upload.');
    try {
      const tags: string[] = [];
      let sizeBytes = 0;
      const put = async (part: Buffer) => {
        tags.push(await putPart({ key, uploadId, partNumber: tags.length + 1, part }));
        sizeBytes += part.length;
      };
      await put(first);
      for await (const part of parts) await put(part);
      await complete({ key, uploadId, tags, sizeBytes });
      return sizeBytes;
    } catch (error) {
      // What made it fail is what the caller has to know.
      await bucket.text({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined);
      throw error;
    }
  }

  type Part = { key: string; uploadId: string; partNumber: number; part: Buffer };

  async function putPart({ key, uploadId, partNumber, part }: Part): Promise<string> {
    const query = { partNumber: String(partNumber), uploadId };
    const answer = await bucket.call({ method: 'PUT', key, query, body: part });
    if (!answer.ok) throw await refusalOf(answer);
    await answer.body?.cancel();
    return answer.headers.get('etag') ?? '';
  }

  type Upload = { key: string; uploadId: string; tags: readonly string[]; sizeBytes: number };

  async function complete({ key, uploadId, tags, sizeBytes }: Upload): Promise<void> {
    const listed = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
    try {
      await bucket.text({ method: 'POST', key, query: { uploadId }, body });
    } catch (error) {
      // Asked again after a lost answer: the upload is gone because it is done.
      const isDone = error instanceof S3Refusal && error.code === 'NoSuchUpload' && (await sizeOf(key)) === sizeBytes;
      if (!isDone) throw error;
    }
  }

  return {
    async put(id, content) {
      const key = keyOf(id);
      const parts = inParts(content, partBytes);
      try {
        const { value: first = Buffer.alloc(0) } = await parts.next();
        await refuseTaken(key, id);
        if (first.length === partBytes) return await upload(key, parts, first);
        await bucket.text({ method: 'PUT', key, body: first });
        return first.length;
      } finally {
        // Whoever delivers it may hold something open until it is told that nobody wants more.
        await parts.return(undefined);
      }
    },
    async open(id): Promise<Readable | undefined> {
      const answer = await bucket.call({ method: 'GET', key: keyOf(id) });
      if (answer.ok && answer.body !== null) return Readable.fromWeb(answer.body as ReadableStream);
      const refusal = await refusalOf(answer);
      if (refusal.code === 'NoSuchKey') return undefined;
      throw refusal;
    },
    async remove(id) {
      const answer = await bucket.call({ method: 'DELETE', key: keyOf(id) });
      if (!answer.ok && answer.status !== 404) throw await refusalOf(answer);
      await answer.body?.cancel();
    },
    async *listOlder(olderThan) {
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = { 'list-type': '2', prefix: `${prefix}/`, 'max-keys': String(portion) };
        const from: Record<string, string> = next === '' ? {} : { 'continuation-token': next };
        const xml: string = await bucket.text({ method: 'GET', query: { ...query, ...from } });
        const ids = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, entry = '']) => {
          const id = elementOf(entry, 'Key')?.slice(prefix.length + 1) ?? '';
          const writtenAt = Date.parse(elementOf(entry, 'LastModified') ?? '');
          // What we did not put there is not ours to take away.
          return isFileId(id) && writtenAt < olderThan.getTime() ? [id] : [];
        });
        if (ids.length > 0) yield ids;
        next = elementOf(xml, 'IsTruncated') === 'true' ? elementOf(xml, 'NextContinuationToken') : undefined;
      }
    },
  };
}

/** Full parts and a rest, which may be empty only when there is nothing else. */
async function* inParts(content: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + partBytes - heldBytes);
      held.push(piece);
      heldBytes += piece.length;
      at += piece.length;
      if (heldBytes < partBytes) continue;
      yield Buffer.concat(held);
      held = [];
      heldBytes = 0;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
