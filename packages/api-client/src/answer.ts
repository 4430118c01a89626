import type { TextValue, TextValues, Told, ToldPart } from '@airdeck/contracts/filled-text';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { ApiError, type Confirmation, categoryOf, type ErrorDetail } from './api-error.ts';
import { clientFailures } from './client-failures.ts';

export type Call = { endpoint: string; method: string };
type Tell = (told: Told) => string;

const asItCame: Tell = ({ message }) => message;

/** Decodes a good answer; 204 and zero length become an empty object (spec §7), unless there has to be one. */
export async function readAnswer(response: Response, call: Call, mayBeEmpty: boolean): Promise<unknown> {
  const text = response.status === 204 ? '' : await response.text();
  if (text.length === 0) {
    if (mayBeEmpty) return {};
    throw unexpectedAnswer(response, call);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpectedAnswer(response, call, cause);
  }
}

/** What came is no answer of ours. */
export function unexpectedAnswer({ status }: Response, call: Call, cause?: unknown): ApiError {
  const code = 'UNEXPECTED_ANSWER';
  return new ApiError({ ...call, category: 'unknown', code, message: clientFailures[code], status, cause });
}

/** Text of a failure (spec §8): the server's message, else a plain-text body, else status and status text. */
export async function readFailure(response: Response, call: Call, tell: Tell = asItCame): Promise<ApiError> {
  const text = await response.text();
  const data = decode(text);
  const body = isJsonObject(data) ? data : {};
  const plain = (response.headers.get('content-type') ?? '').startsWith('text/plain') ? text.trim().slice(0, 500) : '';
  const message = toldOf(body, tell) ?? (plain || `${response.status} ${response.statusText}`.trim());
  return new ApiError({
    ...call,
    category: categoryOf(response.status),
    code: textOf(body.code) ?? `HTTP_${response.status}`,
    message,
    status: response.status,
    data: data ?? text,
    requestId: textOf(body.request_id) ?? response.headers.get('x-request-id') ?? undefined,
    details: detailsOf(body.details, tell),
    confirmation: confirmationOf(body.confirm, tell),
    retryAfterS: secondsOf(response.headers.get('retry-after')),
  });
}

/** Only what names its reason: fixed sentences are looked up where they are shown. */
function toldOf(body: Record<string, unknown>, tell: Tell): string | undefined {
  const message = textOf(body.message);
  const { reason, values } = moreOf(body);
  return message === undefined || reason === undefined ? message : tell({ message, reason, values });
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function detailsOf(value: unknown, tell: Tell): ErrorDetail[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isJsonObject(entry)) return [];
    const message = textOf(entry.message);
    if (message === undefined) return [];
    const more = moreOf(entry);
    return [{ path: typeof entry.path === 'string' ? entry.path : '', ...more, message: tell({ ...more, message }) }];
  });
}

/** Which sentence the message is; of a query also where the problem is, and what to do about it. */
function moreOf({
  reason,
  values,
  start,
  end,
  suggestion,
  fix,
}: Record<string, unknown>): Omit<ErrorDetail, 'path' | 'message'> {
  return {
    ...(typeof reason === 'string' ? { reason, values: valuesOf(values) } : {}),
    ...(typeof start === 'number' && typeof end === 'number' ? { start, end } : {}),
    ...(typeof suggestion === 'string' ? { suggestion } : {}),
    ...(typeof fix === 'string' ? { fix } : {}),
  };
}

function valuesOf(value: unknown): TextValues {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]): [string, TextValue][] => {
      if (Array.isArray(entry)) return [[name, entry.flatMap(partOf)]];
      return isPlain(entry) ? [[name, entry]] : [];
    }),
  );
}

function partOf(entry: unknown): ToldPart[] {
  if (!isJsonObject(entry) || typeof entry.message !== 'string') return [];
  const values = isJsonObject(entry.values) ? Object.entries(entry.values) : [];
  const plain = values.filter((pair): pair is [string, string | number] => isPlain(pair[1]));
  const { message, path, reason } = entry;
  return [{ path: textOf(path), message, reason: textOf(reason), values: Object.fromEntries(plain) }];
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function confirmationOf(value: unknown, tell: Tell): Confirmation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { title, text, action_label, passphrase_hint: hint, told } = value;
  if (typeof title !== 'string' || typeof text !== 'string' || typeof action_label !== 'string') return undefined;
  const parts = isJsonObject(told) ? told : {};
  const one = (part: unknown, plain: string) => (isJsonObject(part) ? toldOf(part, tell) : undefined) ?? plain;
  const sentences = Array.isArray(parts.text) ? parts.text.map((part) => one(part, '')) : [];
  return {
    title: one(parts.title, title),
    text: sentences.length === 0 ? text : sentences.join(' '),
    action_label: one(parts.action_label, action_label),
    ...(typeof hint === 'string' ? { passphrase_hint: one(parts.passphrase_hint, hint) } : {}),
  };
}

/** `Retry-After` as seconds; its date form is not used by our server. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
