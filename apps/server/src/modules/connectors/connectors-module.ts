import type { Told, ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { keyedId } from '../../http/keyed-creation.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { changedBy } from '../audit/audit-actor.ts';
import type { DefinitionLookup } from '../integrations/definitions-port.ts';
import type { UsesOf } from '../integrations/uses-port.ts';
import { createCallLimit } from './call-limit.ts';
import type { ConnectionTester } from './connection-tester.ts';
import { checkConfig } from './connector-config-check.ts';
import { connectorHealth } from './connector-health.ts';
import { type ConnectorSettings, SecretMoveRefused } from './connector-settings.ts';
import type { ConnectorWorkService } from './connector-work.ts';
import { type ConnectorRow, isUsable } from './connectors-repository.ts';

const TESTS_PER_MINUTE = 60;

type Dependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  registry: DefinitionLookup;
  settings: ConnectorSettings;
  work: Pick<ConnectorWorkService, 'test'>;
  tester: ConnectionTester;
  refusals: Pick<RefusalLog, 'note'>;
  usesOf: UsesOf;
  ids: () => string;
  now: () => Date;
};

type RouteIds =
  | 'connectors.list'
  | 'connectors.put'
  | 'connectors.get'
  | 'connectors.update'
  | 'connectors.delete'
  | 'connectors.test'
  | 'connectors.pause'
  | 'connectors.resume'
  | 'connectors.health'
  | 'connectors.validate';

export type ConnectorsModule = { handlers: Handlers<RouteIds> };

export function createConnectorsModule(deps: Dependencies): ConnectorsModule {
  const { db, settings } = deps;
  const mayTest = createCallLimit({ now: deps.now, perMinute: TESTS_PER_MINUTE });

  /** Notes who tried to have a stored secret sent elsewhere; the transaction it was tried in is gone by then. */
  async function noting<T>(routeId: RouteIds, context: TenantContext, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SecretMoveRefused) await noteMove(routeId, context);
      throw error;
    }
  }

  async function noteMove(routeId: RouteIds, { scope, caller, requestId }: TenantContext): Promise<void> {
    await deps.refusals.note({ tenant: scope.tenantId, caller, routeId, code: 'VALIDATION_FAILED', requestId });
  }

  function requireTestsLeft(scope: TenantScope): void {
    if (!mayTest(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
  }

  const setEnabled = (enabled: boolean) => (id: string, context: TenantContext) =>
    db.tenant(context.scope.tenantId, (tx) =>
      settings.setEnabled(tx, context.scope, { id, enabled }, changedBy(context)),
    );

  return {
    handlers: {
      'connectors.list': (_request, { scope }) => db.read(scope.tenantId, (tx) => settings.list(tx, scope)),
      'connectors.get': ({ params }, { scope }) =>
        db.read(scope.tenantId, async (tx) => settings.wire(tx, scope, await settings.get(tx, scope, params.id))),
      'connectors.put': ({ body }, context) =>
        noting('connectors.put', context, () => {
          const { scope } = context;
          if (body.tenant !== undefined && body.tenant !== scope.tenantId) throw new AppError('TENANT_MISMATCH');
          const by = changedBy(context);
          const replaced = body.id;
          const id = replaced ?? newIdOf(context) ?? deps.ids();
          return db.tenant(scope.tenantId, (tx) =>
            replaced === undefined
              ? settings.create(tx, scope, { id, input: body }, by)
              : settings.replace(tx, scope, { id, input: body }, by),
          );
        }),
      'connectors.update': ({ params, body }, context) =>
        noting('connectors.update', context, () =>
          db.tenant(context.scope.tenantId, (tx) =>
            settings.update(tx, context.scope, { id: params.id, patch: body }, changedBy(context)),
          ),
        ),
      'connectors.delete': async ({ params }, context) => {
        await remove(deps, params.id, context);
        return undefined;
      },
      'connectors.pause': ({ params }, context) => setEnabled(false)(params.id, context),
      'connectors.resume': ({ params }, context) => setEnabled(true)(params.id, context),
      'connectors.test': async ({ params }, { scope, signal }) => {
        await db.read(scope.tenantId, (tx) => settings.get(tx, scope, params.id));
        requireTestsLeft(scope);
        const tested = await deps.work.test(scope, { connectorId: params.id, by: 'person', signal });
        if (tested === undefined) throw new AppError('NOT_FOUND');
        return tested;
      },
      'connectors.health': ({ params }, { scope }) =>
        db.read(scope.tenantId, async (tx) =>
          connectorHealth(tx, scope, await settings.get(tx, scope, params.id), deps.now()),
        ),
      'connectors.validate': async ({ body }, context) => {
        const { scope, signal } = context;
        const definition = await db.read(scope.tenantId, async (tx) =>
          deps.registry.find(body.definition_id, tx, scope),
        );
        if (!definition) throw new AppError('NOT_FOUND', { message: 'This integration does not exist.' });
        const id = body.connector_id;
        const before =
          id === undefined
            ? undefined
            : await db.read(scope.tenantId, async (tx) => {
                const row = await settings.get(tx, scope, id);
                if (row.definition_id !== definition.definition_id) throw new AppError('NOT_FOUND');
                return await settings.stored(tx, scope, row, definition);
              });
        const checked = checkConfig(definition, body.config, before);
        if (checked.movesSecrets) await noteMove('connectors.validate', context);
        const skipped = { status: 'skipped', message: 'Not tested.', metadata: {}, duration_ms: 0 } as const;
        if (checked.problems.length > 0) return { valid: false, errors: checked.problems, test: skipped };
        if (!body.test) return { valid: true, errors: [], test: skipped };
        requireTestsLeft(scope);
        const secrets = [
          ...Object.values(checked.toSeal),
          ...checked.keep.flatMap((field) => before?.opened[field] ?? []),
        ];
        const tested = await deps.tester({ scope, definition, config: checked.full, secrets, signal });
        const { code: _code, retryable: _retryable, retryAfterS: _retryAfterS, ...test } = tested;
        return { valid: true, errors: [], test };
      },
    },
  };
}

async function remove(deps: Dependencies, id: string, context: TenantContext): Promise<void> {
  const { db, settings } = deps;
  const { scope } = context;
  const { row, uses, usesOfDefault, next } = await db.read(scope.tenantId, async (tx) => {
    const row = await settings.get(tx, scope, id);
    return {
      row,
      uses: await deps.usesOf(tx, scope, { connectorId: id }),
      usesOfDefault: row.is_default ? await deps.usesOf(tx, scope, { defaultOf: row.definition_id }) : [],
      next: await settings.nextDefault(tx, scope, row),
    };
  });
  const missed: readonly Told[] = uses.length === 0 ? [] : [refusal('ASK_CONNECTOR_USED', { uses })];
  const moved = textsOfDefault(usesOfDefault, next);
  await context.confirm({
    // Another use, or another one that takes over, that came up while the question stood makes it another question.
    object: JSON.stringify([id, uses, next?.id, moved]),
    title: refusal('ASK_DELETE', { name: row.name }),
    text: [refusal('ASK_CONNECTOR_DELETE_TEXT'), ...missed, ...moved],
    action_label: refusal('ASK_LABEL_DELETE'),
  });
  const asked = { id, next: next?.id };
  await db.tenant(scope.tenantId, (tx) => settings.remove(tx, scope, asked, changedBy(context)));
}

/** What becomes of whatever names no connector. */
function textsOfDefault(uses: ToldPart[], next: ConnectorRow | undefined): Told[] {
  const used: Told[] = uses.length === 0 ? [] : [refusal('ASK_CONNECTOR_DEFAULT_USED', { uses })];
  if (next === undefined) return uses.length === 0 ? [] : [...used, refusal('ASK_CONNECTOR_NEXT_NONE')];
  const { name } = next;
  return [
    ...used,
    isUsable(next) ? refusal('ASK_CONNECTOR_NEXT', { name }) : refusal('ASK_CONNECTOR_NEXT_OFF', { name }),
  ];
}

/** The same call again creates the same connector: its id is made from the caller's key. */
function newIdOf({ raw, scope, caller }: TenantContext): string | undefined {
  const key = idempotencyKeyOf(raw.request.headers);
  return key === undefined ? undefined : keyedId(['connector', scope.tenantId, caller.userId, key]);
}
