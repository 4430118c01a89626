import { serverLimits } from '@airdeck/contracts/server-limits';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { parseStrictJson } from '../../http/json-body.ts';
import { type NoticesDependencies, takeNotice } from './clerk-notices.ts';
import { clerkNoticeSchema } from './clerk-schemas.ts';
import { verifiedMessage } from './webhook-signature.ts';

const REPORT_EVERY_MS = 60_000;

/** `key` undefined: no secret is configured, and the address does not exist. */
export function createClerkWebhook(
  deps: NoticesDependencies & { key: Buffer | undefined },
): Handlers<'clerk.webhook'>['clerk.webhook'] {
  const { key, now, log } = deps;
  let reportedAt = Number.NEGATIVE_INFINITY;

  /** Anybody can send those: they are told about once a minute, and recorded nowhere. */
  function reportRefused(): void {
    if (now().getTime() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now().getTime();
    log.warn({}, 'a notice that was not signed by Clerk was refused');
  }

  return async (_request, { raw, requestId }) => {
    if (key === undefined) throw new AppError('ROUTE_NOT_FOUND');
    const { headers, raw: stream } = raw.request;
    const body = await readBytes(stream);
    const id = verifiedMessage({ headers, body }, { key, now: now() });
    if (id === undefined) {
      reportRefused();
      throw new AppError('TOKEN_INVALID', { message: 'The signature is not valid.' });
    }
    try {
      const { type, data } = clerkNoticeSchema.parse(parseStrictJson(body.toString('utf8')));
      await takeNotice(deps, { id, type, data, requestId });
    } catch (cause) {
      if (!(cause instanceof z.ZodError)) throw cause;
      throw new AppError('BODY_NOT_DECODABLE', { message: 'The notice has another shape than expected.', cause });
    }
    return undefined;
  };
}

async function readBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > serverLimits.jsonBodyMaxBytes) throw new AppError('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
