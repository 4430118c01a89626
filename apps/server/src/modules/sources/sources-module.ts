import type { Told, ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { EventSource } from '@airdeck/contracts/sources/schema';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { changedBy } from '../audit/audit-actor.ts';
import { type EventVolume, eventVolume, HOUR_MS } from './event-volume.ts';
import type { SourceFinder } from './ingest-source.ts';
import { type LineLosses, lineLosses } from './line-losses.ts';
import { createSourceFinder } from './source-finder.ts';
import { type SourceRepeats, sourceRepeats } from './source-repeats.ts';
import { createKeyedTokens } from './source-token.ts';
import {
  createSourcesService,
  type SourcesDependencies,
  type SourcesService,
  type Surroundings,
} from './sources-service.ts';

/** What waits for the events of a source to act, and how it is told. */
export type SourceUses = { ids: readonly string[]; told: ToldPart[] };

export type SourcesModule = {
  service: SourcesService;
  finder: SourceFinder;
  volume: EventVolume;
  losses: LineLosses;
  repeats: SourceRepeats;
  handlers: Handlers<'sources.list' | 'sources.create' | 'sources.update' | 'sources.rotate-token' | 'sources.delete'>;
};

export function createSourcesModule(
  deps: SourcesDependencies & {
    db: Database;
    /** The installation's secret. */
    secret: string;
    usesOf: (tx: Tx, scope: TenantScope, sourceId: string) => Promise<SourceUses>;
    senders?: ReadonlyMap<string, string>;
    ports?: ReadonlyMap<number, string>;
  },
): SourcesModule {
  const { db, now } = deps;
  const service = createSourcesService(deps);
  const keyedToken = createKeyedTokens(deps.secret);

  /** Lost lines have no tenant, so they are read apart from what has. */
  async function around(): Promise<Surroundings> {
    const since = new Date(now().getTime() - 24 * HOUR_MS);
    return { droppedLines: await db.system((tx) => lineLosses.since(tx, since)) };
  }

  async function shown(id: string, { scope }: TenantContext): Promise<EventSource> {
    const doors = await around();
    return await db.read(scope.tenantId, (tx) => service.get(tx, scope, id, doors));
  }

  /** What is said of them when the source is to be cut off. */
  async function missedBy(id: string, { scope }: TenantContext): Promise<{ uses: readonly string[]; text: Told[] }> {
    const { ids, told } = await db.read(scope.tenantId, (tx) => deps.usesOf(tx, scope, id));
    return { uses: ids, text: told.length === 0 ? [] : [refusal('ASK_SOURCE_USED', { uses: told })] };
  }

  return {
    service,
    finder: createSourceFinder(deps),
    volume: eventVolume,
    losses: lineLosses,
    repeats: sourceRepeats,
    handlers: {
      'sources.list': async (_request, { scope }) => {
        const doors = await around();
        return await db.tenant(scope.tenantId, (tx) => service.list(tx, scope, doors));
      },
      'sources.create': ({ body }, context) => {
        const { scope, raw } = context;
        const request = keyedCreation('source', context, { scope, body, ids: deps.ids });
        const key = idempotencyKeyOf(raw.request.headers);
        const tokens = key === undefined ? {} : { tokenOf: (id: string) => keyedToken(id, key) };
        const source = { ...body, ...tokens, request };
        return db.tenant(scope.tenantId, (tx) => service.createSource(tx, scope, source, changedBy(context)));
      },
      'sources.update': async ({ params: { id }, body: { name } }, context) => {
        const { scope } = context;
        await db.tenant(scope.tenantId, (tx) => service.rename(tx, scope, { id, name }, changedBy(context)));
        return await shown(id, context);
      },
      'sources.rotate-token': async ({ params: { id } }, context) => {
        const { scope } = context;
        const { name, token_hint } = await shown(id, context);
        const missed = await missedBy(id, context);
        await context.confirm({
          // A token that was replaced, or another use that came up, in the meantime makes it another question.
          object: JSON.stringify([id, token_hint, missed.uses]),
          title: refusal('ASK_SOURCE_TOKEN', { name }),
          text: [refusal('ASK_SOURCE_TOKEN_TEXT', { hint: token_hint }), ...missed.text],
          action_label: refusal('ASK_LABEL_REPLACE_TOKEN'),
        });
        const token = await db.tenant(scope.tenantId, (tx) =>
          service.rotateToken(tx, scope, id, changedBy(context), { replaces: token_hint }),
        );
        return { ...(await shown(id, context)), token };
      },
      'sources.delete': async ({ params: { id } }, context) => {
        const { scope } = context;
        const { name } = await shown(id, context);
        const missed = await missedBy(id, context);
        await context.confirm({
          object: JSON.stringify([id, missed.uses]),
          title: refusal('ASK_DELETE', { name }),
          text: [refusal('ASK_SOURCE_DELETE_TEXT'), ...missed.text],
          action_label: refusal('ASK_LABEL_DELETE'),
        });
        await db.tenant(scope.tenantId, (tx) => service.remove(tx, scope, id, changedBy(context)));
      },
    },
  };
}
