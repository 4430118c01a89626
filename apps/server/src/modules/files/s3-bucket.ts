/**
 * One bucket of an S3-compatible store, as far as files need it: path-style addresses, signature version 4, no redirects,
 * so nothing but the configured host is ever called. What failed on the way, or was answered with 429 or 5xx, is asked
 * again a few times; every call here may be repeated.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { FilesBucket } from '../../config/files-bucket.ts';

const TRIES = 4;
const FIRST_PAUSE_MS = 200;
/** For the answer to begin; a part of eight megabytes goes up in that time over a slow line. */
const ANSWER_WITHIN_MS = 60_000;

export type S3Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined for the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
};

/** What the store refused. Carries neither keys nor the address. */
export class S3Refusal extends Error {
  readonly status: number;
  /** As S3 names it, such as NoSuchKey; empty where the answer had no text. */
  readonly code: string;

  constructor(status: number, code: string) {
    super(`The file store answered ${status}${code === '' ? '' : ` ${code}`}.`);
    this.name = 'S3Refusal';
    this.status = status;
    this.code = code;
  }
}

/** It did not answer, or only that it cannot, as often as it was asked. */
export class FilesUnavailable extends Error {
  readonly code = 'FILES_UNAVAILABLE';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The file store does not answer.', { cause });
    this.name = 'FilesUnavailable';
  }
}

export type S3Bucket = {
  /** The answer, whatever its status below 500 is. Its body has to be read or cancelled. Throws `FilesUnavailable`. */
  call(call: S3Call): Promise<Response>;
  /** The text of an answer that has to be a success; throws `S3Refusal`. */
  text(call: S3Call): Promise<string>;
  /** Rejects when the bucket cannot be read with these keys. */
  check(): Promise<void>;
};

export type S3Surroundings = {
  fetch?: typeof globalThis.fetch;
  /** Between two tries. */
  pause?: (milliseconds: number) => Promise<unknown>;
};

export function createS3Bucket(
  at: FilesBucket,
  { fetch = globalThis.fetch, pause = wait }: S3Surroundings = {},
): S3Bucket {
  const { region, accessKey: accessKeyId, secretKey: secretAccessKey } = at;

  async function once({ method, key, query = {}, body }: S3Call): Promise<Response> {
    const url = new URL(`/${at.bucket}${key === undefined ? '' : `/${key}`}`, at.origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      ...{ method, url: url.toString(), service: 's3', region, accessKeyId, secretAccessKey },
      // The store refuses a body that changed on its way.
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
    });
    const signed = await signer.sign();
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new Error('The file store does not answer.')), ANSWER_WITHIN_MS);
    try {
      return await fetch(signed.url, {
        ...{ method, headers: signed.headers, redirect: 'error', signal: ending.signal },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async function call(asked: S3Call): Promise<Response> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await once(asked);
        if (answer.status < 500 && answer.status !== 429) return answer;
        if (tries === TRIES) throw await refusalOf(answer);
        await answer.body?.cancel();
      } catch (error) {
        if (tries === TRIES) throw new FilesUnavailable(error);
      }
      await pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
    }
  }

  async function text(asked: S3Call): Promise<string> {
    const answer = await call(asked);
    if (!answer.ok) throw await refusalOf(answer);
    const said = await answer.text();
    // Completing an upload may fail after the status was sent.
    if (/<Error>/.test(said)) throw new S3Refusal(answer.status, elementOf(said, 'Code') ?? '');
    return said;
  }

  return {
    call,
    text,
    check: async () => void (await text({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' } })),
  };
}

export async function refusalOf(answer: Response): Promise<S3Refusal> {
  const said = await answer.text();
  return new S3Refusal(answer.status, elementOf(said, 'Code') ?? '');
}

/** Text of the first such element: the answers of S3 are flat enough to be read so. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, found] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return found === undefined ? undefined : plain(found);
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plain(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|quot|apos|amp));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
