import { readFailure } from '@airdeck/api-client/answer';
import { ApiError } from '@airdeck/api-client/api-error';
import type { PreparedCall } from '@airdeck/api-client/route-call';
import { t, told } from '../language/translate.ts';
import type { IdentityProvider } from '../session/identity-provider.ts';

export type Download = {
  identity: Pick<IdentityProvider, 'getToken'>;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  onProgress?: (bytes: number) => void;
};

/**
 * The answer of a call as a file. A plain link could not carry the token, so the answer is read here; the browser keeps a
 * large one on disk, not in memory. An answer that breaks off half-way is a failure, never a shorter file.
 *
 * @throws ApiError as every call
 */
export async function downloadAnswer(
  call: PreparedCall,
  { onProgress, ...download }: Download,
): Promise<{ file: Blob; name: string | undefined }> {
  const at = { endpoint: call.endpoint, method: call.method };
  try {
    const response = await authorized(download, call.url);
    if (!response.ok || response.body === null) throw await readFailure(response, call, told);
    const parts: Blob[] = [];
    let bytes = 0;
    const reader = response.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(new Blob([next.value]));
      bytes += next.value.byteLength;
      onProgress?.(bytes);
    }
    const type = response.headers.get('content-type') ?? '';
    return { file: new Blob(parts, { type }), name: nameOf(response) };
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (download.signal.aborted) {
      throw new ApiError({
        ...at,
        category: 'abort',
        code: 'ABORTED',
        message: t('The request was cancelled.'),
        cause,
      });
    }
    const message = t('The download broke off. Nothing was saved; try again.');
    throw new ApiError({ ...at, category: 'network', code: 'UNREACHABLE', message, cause });
  }
}

/** Once more with a fresh token, as every call does. */
async function authorized({ identity, fetch, signal }: Omit<Download, 'onProgress'>, url: string): Promise<Response> {
  const ask = async (refresh: boolean) =>
    fetch(url, {
      headers: { authorization: 'Bearer '.concat((await identity.getToken({ refresh })) ?? '') },
      credentials: 'same-origin',
      signal,
    });
  const response = await ask(false);
  return response.status === 401 ? ask(true) : response;
}

function nameOf(response: Response): string | undefined {
  return /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}
