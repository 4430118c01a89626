import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { AppError } from '../../http/app-error.ts';
import type { IngestSource, SourceFinder } from '../sources/ingest-source.ts';
import { batchIdOf } from './batch-identity.ts';
import { contentKeyOf, keyHash, planOf, readBody } from './body-plan.ts';
import { receiveBody } from './body-reader.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import type { IngestionService } from './ingestion-service.ts';

export type HttpDelivery = { tenantId: string; sourceId: string; headers: IncomingHttpHeaders; stream: Readable };

export type HttpDoor = { deliver(delivery: HttpDelivery): Promise<IngestAnswer> };

const KEY_MAX_LENGTH = 200;

/** Events over HTTP: who sends is settled before the first byte of the body is read. */
export function createHttpDoor(deps: {
  finder: Pick<SourceFinder, 'byToken'>;
  ingestion: Pick<IngestionService, 'accept'>;
  budget: ByteBudget;
  counters: DoorCounters;
}): HttpDoor {
  const { finder, ingestion, budget, counters } = deps;

  async function deliver(delivery: HttpDelivery): Promise<IngestAnswer> {
    const { headers, stream } = delivery;
    const source = await sourceOf(finder, delivery);
    const plan = planOf(source.kind, headers);
    const key = keyOf(headers['idempotency-key']);
    if (budget.isFull) throw new AppError('OVERLOADED', { retryAfterS: 1 });
    const body = await receiveBody(stream, {
      encoding: headers['content-encoding']?.toLowerCase(),
      contentLength: Number(headers['content-length'] ?? 0),
      budget,
    });
    try {
      const contentKey = key === undefined ? contentKeyOf(body.bytes, plan) : undefined;
      const bodyHash = contentKey === undefined ? body.hash : keyHash(contentKey);
      const answer = await ingestion.accept({
        source,
        batchId: batchIdOf(source.id, { key: key ?? contentKey, bodyHash }),
        bodyHash,
        read: (receivedAt) => readBody(body.bytes, plan, receivedAt),
      });
      counters.accepted += answer.accepted;
      counters.malformed += answer.rejected;
      return answer;
    } finally {
      body.release();
    }
  }

  return {
    async deliver(delivery) {
      try {
        return await deliver(delivery);
      } catch (error) {
        counters.rejected++;
        throw error;
      }
    },
  };
}

/** A token of another tenant or source is as wrong as none: nobody learns what exists. */
async function sourceOf(finder: Pick<SourceFinder, 'byToken'>, delivery: HttpDelivery): Promise<IngestSource> {
  const [scheme = '', token = ''] = (delivery.headers.authorization ?? '').split(' ', 2);
  if (token === '' || scheme.toLowerCase() !== 'bearer') {
    throw new AppError('TOKEN_MISSING', { message: "Send the source's token as Authorization: Bearer src_…" });
  }
  const source = await finder.byToken(token);
  if (source === undefined || source.id !== delivery.sourceId || source.tenantId !== delivery.tenantId) {
    throw new AppError('TOKEN_INVALID', { message: 'This is not the token of this event source.' });
  }
  return source;
}

function keyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length > 0 && header.length <= KEY_MAX_LENGTH) return header;
  throw new AppError('VALIDATION_FAILED', {
    details: [{ path: 'Idempotency-Key', message: `Between 1 and ${KEY_MAX_LENGTH} characters, once.` }],
  });
}
