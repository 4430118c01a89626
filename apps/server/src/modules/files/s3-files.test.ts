import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Bucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';
import { type S3StandIn, startS3StandIn } from './s3-stand-in.ts';

const PART_BYTES = 5 * 1_048_576;
let standIn: S3StandIn;
beforeAll(async () => {
  standIn = await startS3StandIn();
});
afterAll(() => standIn?.close());

type Seen = { method: string; url: URL; bytes: number };

/** Files whose calls are seen, and changed where `change` has another answer. */
function watched(change: (seen: Seen, calls: readonly Seen[]) => Response | Error | undefined = () => undefined) {
  const calls: Seen[] = [];
  const pauses: number[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const seen = {
      method: init?.method ?? 'GET',
      url: new URL(String(input)),
      bytes: (init?.body as Buffer | undefined)?.length ?? 0,
    };
    calls.push(seen);
    const other = change(seen, calls);
    if (other instanceof Error) throw other;
    return other ?? (await globalThis.fetch(input, init));
  };
  const bucket = createS3Bucket(standIn.bucket, { fetch, pause: async (ms) => void pauses.push(ms) });
  return { files: createS3Files(bucket, { prefix: 'files', partBytes: PART_BYTES }), bucket, calls, pauses };
}

async function* pieces(...parts: (Buffer | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

async function textOf(opened: AsyncIterable<unknown> | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of opened ?? []) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('latin1');
}

const refusal = (status: number, code: string) => new Response(`<Error><Code>${code}</Code></Error>`, { status });

describe('files in a bucket', () => {
  it('go up in parts of one size, however large or small the pieces are, and only to the host that was named', async () => {
    const { files, calls } = watched();
    const content = randomBytes(3 * PART_BYTES + 10);
    const small = Array.from({ length: 40 }, (_, at) => content.subarray(at * 400_000, (at + 1) * 400_000));
    expect(await files.put(v7(), pieces(...small))).toBe(content.length);
    const sent = calls.filter(({ method }) => method === 'PUT').map(({ bytes }) => bytes);
    expect(sent).toEqual([PART_BYTES, PART_BYTES, PART_BYTES, 10]);
    expect(new Set(calls.map(({ url }) => url.origin))).toEqual(new Set([standIn.bucket.origin]));
  });

  it('take back the parts of what broke off', async () => {
    const { files, calls } = watched();
    await expect(files.put(v7(), pieces(randomBytes(PART_BYTES + 1), new Error('gone')))).rejects.toThrow('gone');
    const last = calls.at(-1);
    expect(last?.method).toBe('DELETE');
    expect(last?.url.searchParams.get('uploadId')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('survive lost connections and a store that is busy, with growing pauses', async () => {
    const { files, pauses } = watched((_, calls) => {
      if (calls.length % 3 === 1) return new TypeError('fetch failed');
      return calls.length % 3 === 2 ? refusal(503, 'SlowDown') : undefined;
    });
    const id = v7();
    const content = randomBytes(PART_BYTES + 5);
    expect(await files.put(id, pieces(content))).toBe(content.length);
    expect(await textOf(await files.open(id))).toBe(content.toString('latin1'));
    expect(pauses.slice(0, 2)).toEqual([200, 400]);
  });

  it('are whole when only the answer to the last call was lost', async () => {
    let lost = false;
    const { files } = watched(({ method, url }) => {
      if (method !== 'POST' || !url.searchParams.has('uploadId')) return undefined;
      if (lost) return refusal(404, 'NoSuchUpload');
      lost = true;
      return undefined;
    });
    const id = v7();
    const content = randomBytes(PART_BYTES);
    expect(await files.put(id, pieces(content))).toBe(PART_BYTES);
    lost = true;
    await expect(files.put(v7(), pieces(content))).rejects.toThrow('The file store answered 404 NoSuchUpload.');
  });

  it('fail when putting them together failed behind a status that said otherwise', async () => {
    const { files } = watched(({ method, url }) =>
      method === 'POST' && url.searchParams.has('uploadId') ? refusal(200, 'InternalError') : undefined,
    );
    await expect(files.put(v7(), pieces(randomBytes(PART_BYTES)))).rejects.toThrow('InternalError');
  });

  it('give up on a store that stays away, and on keys it does not know, without repeating either', async () => {
    const away = watched(() => new TypeError('fetch failed'));
    await expect(away.files.open(v7())).rejects.toThrow('fetch failed');
    expect(away.calls).toHaveLength(4);
    await expect(away.files.open(v7())).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    const wrong = createS3Bucket({ ...standIn.bucket, secretKey: 'another' });
    const failed = await wrong.check().then(String, String);
    expect(failed).toBe('S3Refusal: The file store answered 403 SignatureDoesNotMatch.');
    await expect(createS3Files(wrong, { prefix: 'files' }).open(v7())).rejects.toThrow('403');
  });

  it('let go of what delivers them when the store is away', async () => {
    const { files } = watched(() => refusal(503, 'SlowDown'));
    let isHeld = false;
    async function* held() {
      isHeld = true;
      try {
        for (;;) yield randomBytes(PART_BYTES);
      } finally {
        isHeld = false;
      }
    }
    await expect(files.put(v7(), held())).rejects.toThrow('The file store answered 503 SlowDown.');
    expect(isHeld).toBe(false);
  });

  it('are not missing only because the bucket is', async () => {
    const gone = createS3Files(createS3Bucket({ ...standIn.bucket, bucket: 'no-such-bucket' }), { prefix: 'files' });
    await expect(gone.open(v7())).rejects.toThrow('The file store answered 404 NoSuchBucket.');
    await expect(gone.put(v7(), pieces(Buffer.from('x')))).rejects.toThrow('NoSuchBucket');
  });

  it('follow no redirect', async () => {
    let visits = 0;
    const elsewhere = createServer((_, response) => {
      visits++;
      response.end();
    }).listen(0, '127.0.0.1');
    const target = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const sending = createServer((_, response) => response.writeHead(307, { location: target() }).end());
    await new Promise<void>((resolve) => sending.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(sending.address() as AddressInfo).port}`;
    const bucket = createS3Bucket({ ...standIn.bucket, origin }, { pause: async () => undefined });
    await expect(bucket.check()).rejects.toThrow();
    expect(visits).toBe(0);
    for (const server of [elsewhere, sending]) server.close();
  });

  it('of strangers beside ours are neither listed nor touched', async () => {
    const { files, bucket } = watched();
    for (const key of ['files/notes.txt', `reports/${v7()}`, `files/${v7()}/more`])
      await bucket.text({ method: 'PUT', key, body: 'x' });
    const own = v7();
    await files.put(own, pieces(Buffer.from('x')));
    const ids: string[] = [];
    for await (const portion of files.listOlder(new Date(Date.now() + 60_000))) ids.push(...portion);
    expect(ids).toContain(own);
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
  });
});
