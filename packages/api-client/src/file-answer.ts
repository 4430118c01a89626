import { type Call, unexpectedAnswer } from './answer.ts';
import { ApiError } from './api-error.ts';
import { clientFailures } from './client-failures.ts';

/** A file as the server sends it. A page of whatever stands between is none, and neither is an answer without a type. */
export async function readFile(
  response: Response,
  call: Call,
  onProgress?: (bytes: number) => void,
): Promise<{ file: Blob; name: string | undefined }> {
  const type = response.headers.get('content-type') ?? '';
  if (type === '' || type.startsWith('text/html')) throw unexpectedAnswer(response, call);
  const parts: Blob[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  const read = () =>
    reader?.read().catch((cause: unknown) => {
      throw cause instanceof TypeError ? brokenOff(call, cause) : cause;
    });
  for (let next = await read(); next?.done === false; next = await read()) {
    parts.push(new Blob([next.value]));
    bytes += next.value.byteLength;
    onProgress?.(bytes);
  }
  return { file: new Blob(parts, { type }), name: nameOf(response) };
}

function brokenOff(call: Call, cause: unknown): ApiError {
  const code = 'BROKEN_OFF';
  return new ApiError({ ...call, category: 'network', code, message: clientFailures[code], cause });
}

function nameOf(response: Response): string | undefined {
  return /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}
