import {
  type SearchCriteria,
  searchCriteriaSchema,
  type searchTailQuerySchema,
} from '@airdeck/contracts/search/schema';
import { listValues } from '@airdeck/contracts/value-list';
import type { z } from 'zod';
import { validationFailed } from '../../http/error-answers.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { parseStrictJson } from '../../http/json-body.ts';
import { inOurWords } from '../../http/value-problems.ts';
import type { Database } from '../../storage/database.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { LiveSources } from './live-sources.ts';
import { createSavedSearchesService } from './saved-searches-service.ts';
import { createSearchService } from './search-service.ts';
import { createSearchSlots } from './search-slots.ts';
import { createSearchTails } from './search-tail.ts';

type Dependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  events: Pick<EventsStore, 'query'>;
  audit: Pick<AuditLog, 'record'>;
  tenants: Pick<TenantsService, 'get'>;
  live: LiveSources;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** Whether a tenant calls more than it may. */
  isOverPace: (tenant: string) => boolean;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

type SavedIds = 'search.saved-list' | 'search.saved-create' | 'search.saved-update' | 'search.saved-delete';
type EventIds = 'search.run' | 'search.fields' | 'search.values' | 'search.scopes' | 'search.event' | 'search.tail';

export type SearchModule = {
  handlers: Handlers<SavedIds | EventIds>;
  /** Ends the open live tails, so that the server can. */
  stop(): void;
};

export function createSearchModule(deps: Dependencies): SearchModule {
  const searchLengthDays = async (scope: TenantScope) => {
    const { sku_info } = await deps.db.read(scope.tenantId, (tx) => deps.tenants.get(tx, scope));
    return sku_info.search_length_days;
  };
  const service = createSearchService({ ...deps, searchLengthDays, slots: createSearchSlots(deps.isOverPace) });
  const tails = createSearchTails({ ...deps, searchLengthDays });
  return {
    stop: tails.stop,
    handlers: {
      'search.run': ({ body }, { scope, signal }) => service.run({ scope, signal }, body),
      'search.fields': ({ body }, { scope, signal }) => service.fields({ scope, signal }, body),
      'search.values': ({ query }, { scope, signal }) => service.values({ scope, signal }, query),
      'search.scopes': (_request, { scope, signal }) => service.scopes({ scope, signal }),
      'search.event': ({ params, query }, { scope, signal }) =>
        service.event({ scope, signal }, { id: params.id, time: query.time }),
      'search.tail': async ({ query }, { scope, caller, raw, signal, session }) => {
        const criteria = criteriaOf(query);
        await tails.open({ scope, userId: caller.userId, criteria, reply: raw.reply, signal, ...session });
        return undefined;
      },
      ...savedHandlers(deps),
    },
  };
}

function savedHandlers(deps: Dependencies): Handlers<SavedIds> {
  const { db } = deps;
  const service = createSavedSearchesService(deps);
  const who = ({ caller, role }: TenantContext) => ({ userId: caller.userId, role });
  const by = ({ caller, requestId }: TenantContext) => ({ actor: auditActor(caller), requestId });

  return {
    'search.saved-list': (_request, context) =>
      db.read(context.scope.tenantId, (tx) => service.list(tx, context.scope, who(context))),
    'search.saved-create': ({ body }, context) => {
      const { scope } = context;
      const request = { route: 'search.saved-create', tenant: scope.tenantId, context, asked: body } as const;
      return db.tenant(scope.tenantId, (tx) =>
        deps.keyedAnswers.once(tx, request, () => service.create(tx, scope, who(context), body, by(context))),
      );
    },
    'search.saved-update': ({ params, body }, context) =>
      db.tenant(context.scope.tenantId, (tx) =>
        service.update(tx, context.scope, who(context), { id: params.id, input: body }, by(context)),
      ),
    'search.saved-delete': async ({ params }, context) => {
      await db.tenant(context.scope.tenantId, (tx) =>
        service.delete(tx, context.scope, who(context), params.id, by(context)),
      );
      return undefined;
    },
  };
}

/** The criteria of a tail as everywhere else; throws VALIDATION_FAILED with the parameters that are none. */
function criteriaOf(query: z.output<typeof searchTailQuerySchema>): SearchCriteria {
  const { integrations, filters, ...rest } = query;
  const given = {
    ...rest,
    integrations: integrations === '' ? [] : listValues(integrations),
    filters: decoded(filters),
  };
  const parsed = searchCriteriaSchema.safeParse(given, inOurWords);
  if (parsed.success) return parsed.data;
  throw validationFailed([{ part: 'query', error: parsed.error }]);
}

function decoded(json: string): unknown {
  try {
    // A second time: what the address holds is looked at before this is read.
    return parseStrictJson(json);
  } catch {
    return json;
  }
}
