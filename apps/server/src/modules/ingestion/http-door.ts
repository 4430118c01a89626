import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { AppError } from '../../http/app-error.ts';
import type { IngestSource, SourceFinder } from '../sources/ingest-source.ts';
import { createAnnouncedBodies } from './announced-bodies.ts';
import { batchIdOf } from './batch-identity.ts';
import { type BodyPlan, contentKeyOf, keyHash, planOf } from './body-plan.ts';
import { type Body, receiveBody } from './body-reader.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import { createEqualDeliveries, type Place } from './equal-deliveries.ts';
import type { EventQuota } from './event-quota.ts';
import type { Delivery, IngestionService } from './ingestion-service.ts';
import { isNamelessRecord } from './nameless-record.ts';
import { overloaded } from './overloaded.ts';
import type { RepeatCounts } from './repeat-counts.ts';
import { createTenantRooms } from './tenant-room.ts';

export type HttpDelivery = {
  tenantId: string;
  sourceId: string;
  headers: IncomingHttpHeaders;
  /** From the address, where a sender can set no header. */
  token?: string | undefined;
  stream: Readable;
  /** Whether the sender is still there to hear the answer. Default: it is. */
  isHeard?: (() => boolean) | undefined;
};

/** What there is of a delivery beside its body. */
type Sent = { source: IngestSource; plan: BodyPlan; key: string | undefined; isHeard: () => boolean };

type DeliveryName = Pick<Delivery, 'batchId' | 'bodyHash' | 'repeatsMs' | 'repeatsSince'> & {
  /** Among equals that nothing tells apart. */
  place?: Place | undefined;
};

export type HttpDoor = { deliver(delivery: HttpDelivery): Promise<IngestAnswer> };

const KEY_MAX_LENGTH = 200;
/** Of a hundred bodies at once each would have a chunk in every turn of the loop, and everybody else would wait for all of them. */
const BODIES_AT_EASE = 32;
/**
 * Where nothing but the body names a delivery: senders repeat within minutes what they had no answer to, and what comes
 * later is a new one, such as the heartbeat of a quarter of an hour after.
 */
const BODY_REPEATS_MS = 10 * 60_000;
/**
 * How long a sender is kept waiting for stores that say nothing at all: a database that hangs refuses nobody. It is told to
 * come again before it gives up by itself; what was taken goes on meanwhile, and the repetition finds it.
 */
const ANSWER_MS = 10_000;

/** Events over HTTP: who sends is settled before the first byte of the body is read. */
export function createHttpDoor(deps: {
  finder: Pick<SourceFinder, 'byToken'>;
  ingestion: Pick<IngestionService, 'accept'>;
  budget: ByteBudget;
  counters: DoorCounters;
  quota: EventQuota;
  repeats: Pick<RepeatCounts, 'note'>;
  now: () => Date;
  /** For tests. */
  answerMs?: number | undefined;
}): HttpDoor {
  const { finder, ingestion, budget, counters, quota, repeats, answerMs = ANSWER_MS } = deps;
  const equals = createEqualDeliveries({ now: () => deps.now().getTime(), openForMs: BODY_REPEATS_MS });
  const rooms = createTenantRooms(budget);
  const bodies = createAnnouncedBodies({ roomOf: rooms.of });

  async function deliver(delivery: HttpDelivery): Promise<IngestAnswer> {
    const { headers, stream, isHeard = () => true } = delivery;
    const source = await inTime(sourceOf(finder, delivery), answerMs);
    const plan = planOf(source.kind, headers);
    const key = keyOf(headers['idempotency-key']);
    if (budget.isFull) throw overloaded();
    const contentLength = Number(headers['content-length'] ?? 0);
    const settle = quota.begin(source.tenantId, contentLength);
    const body = await receiveBody(stream, {
      encoding: headers['content-encoding']?.toLowerCase(),
      contentLength,
      announce: (bytes) => bodies.announce(source.tenantId, bytes),
      isCrowded: () => bodies.open > BODIES_AT_EASE,
      budget: rooms.of(source.tenantId),
    }).catch((error: unknown) => {
      settle(0);
      throw error;
    });
    const { length } = body.bytes;
    const end = (events: number, readBytes = 0) => {
      body.release();
      settle(events, readBytes);
    };
    let taken: Promise<IngestAnswer>;
    let name: DeliveryName;
    try {
      name = await nameOf(body, { source, plan, key, isHeard });
      taken = ingestion.accept({
        ...{ source, batchId: name.batchId, bodyHash: name.bodyHash },
        ...{ repeatsMs: name.repeatsMs, repeatsSince: name.repeatsSince },
        arrival: { kind: 'body', bytes: body.bytes, plan },
        onWritten: ({ raw }) => {
          counters.malformed += raw.length;
        },
      });
    } catch (error) {
      end(0);
      throw error;
    }
    // Not with the answer: as long as it is in hand it takes its room, whoever still waits for it.
    taken.then(
      ({ duplicate, accepted, rejected }) => (duplicate ? end(0) : end(accepted + rejected, length)),
      (error: unknown) => end(0, isSendersFault(error) ? length : 0),
    );
    const answer = await inTime(taken, answerMs).catch((error: unknown) => {
      // What a repetition is refused for says nothing of the first try.
      const isAnswer = error instanceof AppError && error.code !== 'STORE_UNAVAILABLE';
      name.place?.leave({ wasTold: isAnswer && !name.place.isRepetition });
      throw error;
    });
    name.place?.leave({ wasTold: isHeard() });
    if (answer.duplicate) {
      if (name.repeatsMs !== undefined) note(source);
      return answer;
    }
    counters.accepted += answer.accepted;
    counters.malformed += answer.rejected;
    return answer;
  }

  /** By the sender's key, by what its content says of itself, or by the body. */
  async function nameOf(
    body: Pick<Body, 'bytes' | 'hash'>,
    { source, plan, key, isHeard }: Sent,
  ): Promise<DeliveryName> {
    const contentKey = key === undefined ? contentKeyOf(body.bytes, plan) : undefined;
    const bodyHash = contentKey === undefined ? body.hash : keyHash(contentKey);
    const said = key ?? contentKey;
    if (said !== undefined) return { batchId: batchIdOf(source.id, { key: said, bodyHash }), bodyHash };
    const isNameless = await isNamelessRecord(body.bytes, { kind: source.kind, plan });
    const place = isNameless ? equals.take({ sourceId: source.id, bodyHash, isHeard }) : undefined;
    const batchId = batchIdOf(source.id, { key: undefined, bodyHash, place: place?.number });
    if (place === undefined) return { batchId, bodyHash, repeatsMs: BODY_REPEATS_MS };
    const repeats = place.isRepetition
      ? { repeatsMs: BODY_REPEATS_MS, repeatsSince: place.firstTriedAt }
      : { repeatsMs: 0 };
    return { batchId, bodyHash, place, ...repeats };
  }

  function note(source: IngestSource): void {
    counters.repeated++;
    repeats.note(source);
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

function isSendersFault(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const patience = new AbortController();
  const tooLate = sleep(ms, undefined, { signal: patience.signal }).then(() => {
    throw new AppError('STORE_UNAVAILABLE', { retryAfterS: 5 });
  });
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    patience.abort();
    // Nobody hears any more how it ended.
    work.catch(() => undefined);
  }
}

/** A token of another tenant or source is as wrong as none: nobody learns what exists. */
async function sourceOf(finder: Pick<SourceFinder, 'byToken'>, delivery: HttpDelivery): Promise<IngestSource> {
  const token = tokenOf(delivery);
  if (token === undefined) {
    throw new AppError('TOKEN_MISSING', { message: "Send the source's token as Authorization: Bearer src_…" });
  }
  const source = await finder.byToken(token);
  if (source === undefined || source.id !== delivery.sourceId || source.tenantId !== delivery.tenantId) {
    throw new AppError('TOKEN_INVALID', { message: 'This is not the token of this event source.' });
  }
  return source;
}

/** Webhooks of some products know only a name with a password: the token is the password, whatever the name. */
function tokenOf({ headers, token }: HttpDelivery): string | undefined {
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ', 2);
  if (value === '') return token;
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return undefined;
  return /^[^:]*:(src_.+)$/s.exec(Buffer.from(value, 'base64').toString('utf8'))?.[1];
}

function keyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length > 0 && header.length <= KEY_MAX_LENGTH) return header;
  throw new AppError('VALIDATION_FAILED', {
    details: [{ path: 'Idempotency-Key', message: `Between 1 and ${KEY_MAX_LENGTH} characters, once.` }],
  });
}
