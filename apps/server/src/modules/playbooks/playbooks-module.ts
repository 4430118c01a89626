import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createCallLimit, requireLeft } from '../connectors/call-limit.ts';
import { libraryHandlers } from './library/library-routes.ts';
import type { Editor } from './playbook-changes.ts';
import { type AuthorizeElsewhere, type CopyDependencies, createPlaybookCopies } from './playbook-copies.ts';
import { createPlaybookDrafts, type DraftDependencies } from './playbook-drafts.ts';
import { playbookRunNotes } from './playbook-runs-repository.ts';
import { createPlaybookValidation, type ValidationDependencies } from './playbook-validation.ts';
import { createPlaybookYaml } from './playbook-yaml.ts';
import type { PlaybookRunNotes, RunnablePlaybook, TryPlaybook } from './playbooks-port.ts';
import { createPlaybooksService, type PlaybooksService } from './playbooks-service.ts';

/** By tenant and process. A person who types asks for the problems every half second. */
const perMinute = { validations: 600, readings: 30, trials: 60 } as const;

type RouteIds =
  | 'playbooks.list'
  | 'playbooks.get'
  | 'playbooks.create'
  | 'playbooks.library'
  | 'playbooks.add-from-library'
  | 'playbooks.validate'
  | 'playbooks.import'
  | 'playbooks.export'
  | 'playbooks.delete'
  | 'playbooks.draft'
  | 'playbooks.save-draft'
  | 'playbooks.discard-draft'
  | 'playbooks.publish'
  | 'playbooks.versions'
  | 'playbooks.roll-back'
  | 'playbooks.used-by'
  | 'playbooks.duplicate'
  | 'playbooks.dry-run'
  | 'playbooks.dry-run-draft';

type Dependencies = Parameters<typeof createPlaybooksService>[0] &
  ValidationDependencies &
  Omit<DraftDependencies, 'validation' | 'usesOf'> &
  CopyDependencies & {
    db: Pick<Database, 'tenant' | 'read' | 'system'>;
    tryPlaybook: TryPlaybook;
    authorizeElsewhere: AuthorizeElsewhere;
  };

export type PlaybooksModule = {
  service: PlaybooksService;
  runs: PlaybookRunNotes;
  handlers: Handlers<RouteIds>;
};

export function createPlaybooksModule(deps: Dependencies): PlaybooksModule {
  const service = createPlaybooksService(deps);
  const validation = createPlaybookValidation(deps);
  const drafts = createPlaybookDrafts({ ...deps, validation, usesOf: service.usesOf });
  const parts = { ...deps, service, validation, drafts };
  return {
    service,
    runs: playbookRunNotes,
    handlers: {
      ...readingHandlers(parts),
      ...libraryHandlers(parts),
      ...changingHandlers(parts),
      ...textHandlers(parts),
      ...trialHandlers(parts),
    },
  };
}

type Parts = Dependencies & {
  service: PlaybooksService;
  validation: ReturnType<typeof createPlaybookValidation>;
  drafts: ReturnType<typeof createPlaybookDrafts>;
};

function readingHandlers({ db, service, drafts }: Parts) {
  return {
    'playbooks.list': (_request, { scope }) => db.read(scope.tenantId, (tx) => service.list(tx, scope)),
    'playbooks.get': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => service.get(tx, scope, params.id)),
    'playbooks.draft': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => drafts.get(tx, scope, params.id)),
    'playbooks.versions': ({ params }, { scope }) =>
      db.read(scope.tenantId, (tx) => drafts.versions(tx, scope, params.id)),
    'playbooks.used-by': ({ params }, { scope }) =>
      db.read(scope.tenantId, (tx) => drafts.usedBy(tx, scope, params.id)),
  } satisfies Partial<Handlers<RouteIds>>;
}

function changingHandlers(parts: Parts) {
  const { db, drafts, service } = parts;
  const copy = createPlaybookCopies(parts);
  return {
    'playbooks.create': ({ body }, context) => {
      const { scope } = context;
      const { id, hash: requestHash } = keyedCreation('playbook', context, { scope, body, ids: parts.ids });
      return db.tenant(scope.tenantId, (tx) =>
        drafts.create(tx, scope, { id, requestHash, definition: body.definition }, editorOf(context)),
      );
    },
    'playbooks.save-draft': ({ params: { id }, body }, context) => {
      const { definition, revision, based_on: basedOn } = body;
      const { scope } = context;
      return db.tenant(scope.tenantId, (tx) =>
        drafts.save(tx, scope, { id, definition, revision, basedOn }, editorOf(context)),
      );
    },
    'playbooks.discard-draft': async ({ params }, context) => {
      const { scope } = context;
      await db.tenant(scope.tenantId, (tx) => drafts.discard(tx, scope, params.id, editorOf(context)));
      return undefined;
    },
    'playbooks.publish': ({ params: { id }, body }, context) => {
      const { scope } = context;
      return db.tenant(scope.tenantId, async (tx) => {
        await drafts.publish(tx, scope, { id, ...body }, editorOf(context));
        return await service.get(tx, scope, id);
      });
    },
    'playbooks.roll-back': ({ params: { id }, body }, context) => {
      const { scope } = context;
      return db.tenant(scope.tenantId, async (tx) => {
        await drafts.rollBack(tx, scope, { id, version: body.version }, editorOf(context));
        return await service.get(tx, scope, id);
      });
    },
    'playbooks.delete': async ({ params }, context) => {
      const { scope } = context;
      await db.tenant(scope.tenantId, (tx) => drafts.remove(tx, scope, params.id, editorOf(context)));
      return undefined;
    },
    'playbooks.duplicate': async ({ params, body }, context) => {
      const { scope, raw } = context;
      const isHere = body.tenant === undefined || body.tenant === scope.tenantId;
      const target = isHere ? scope : await parts.authorizeElsewhere(raw.request, body.tenant ?? '');
      const asked = { scope: target, body: { ...body, id: params.id }, ids: parts.ids };
      const { id, hash: requestHash } = keyedCreation('copy', context, asked);
      const to = { id, requestHash, scope: target };
      await copy({ from: { scope, id: params.id }, to, name: body.name }, editorOf(context));
      return { tenant: target.tenantId, id };
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function textHandlers({ db, drafts, service, validation, now }: Parts) {
  const yaml = createPlaybookYaml();
  const mayValidate = createCallLimit({ now, perMinute: perMinute.validations });
  const mayRead = createCallLimit({ now, perMinute: perMinute.readings });

  async function problemsOf(scope: TenantScope, definition: DraftDefinition, ownId?: string) {
    const { problems } = await db.read(scope.tenantId, (tx) => validation.validate(tx, scope, definition, ownId));
    return [...problems];
  }

  return {
    'playbooks.validate': async ({ body }, { scope }) => {
      requireLeft(mayValidate, scope);
      const problems = await problemsOf(scope, body.definition, body.playbook_id);
      return { valid: problems.length === 0, problems };
    },
    'playbooks.import': async ({ body }, { scope }) => {
      requireLeft(mayRead, scope);
      const read = await yaml.read(body.yaml);
      if (read.definition === null) return { definition: null, problems: [...read.problems] };
      return { definition: read.definition, problems: await problemsOf(scope, read.definition) };
    },
    'playbooks.export': async ({ params }, { scope }) => {
      const definition = await db.read(scope.tenantId, async (tx) => {
        const published = await service.findForRun(tx, scope, params.id);
        return published?.definition ?? (await drafts.get(tx, scope, params.id)).definition;
      });
      const text = await yaml.write(definition as DraftDefinition);
      return { file_name: `${fileNameOf(definition.metadata.name)}.yaml`, yaml: text };
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function trialHandlers({ db, service, drafts, validation, now, tryPlaybook }: Parts) {
  const mayTry = createCallLimit({ now, perMinute: perMinute.trials });

  /** What is tried must be without problems, as what is published. Returns it as a run of no stored playbook. */
  async function runnable(tx: Tx, scope: TenantScope, draft: DraftDefinition, ownId: string | undefined) {
    const { problems, definition } = await validation.validate(tx, scope, draft, ownId);
    if (definition === undefined) {
      const details = problems
        .slice(0, 50)
        .map(({ path, message, reason, values }) => ({ path, message, reason, values }));
      throw new AppError('PLAYBOOK_INVALID', { details });
    }
    return { playbookId: null, version: 0, name: definition.metadata.name, definition } satisfies RunnablePlaybook;
  }

  return {
    'playbooks.dry-run-draft': ({ body }, context) => {
      const { scope, caller, raw } = context;
      requireLeft(mayTry, scope);
      const idempotencyKey = idempotencyKeyOf(raw.request.headers);
      return db.tenant(scope.tenantId, async (tx) => {
        const playbook = await runnable(tx, scope, body.definition, body.playbook_id);
        return await tryPlaybook(tx, { scope, caller, playbook, inputs: body.inputs, idempotencyKey });
      });
    },
    'playbooks.dry-run': ({ params: { id }, body }, context) => {
      const { scope, caller, raw } = context;
      requireLeft(mayTry, scope);
      const idempotencyKey = idempotencyKeyOf(raw.request.headers);
      return db.tenant(scope.tenantId, async (tx) => {
        await drafts.requireThere(tx, scope, id);
        const playbook = body.definition
          ? { ...(await runnable(tx, scope, body.definition, id)), playbookId: id }
          : await service.getForRun(tx, scope, id);
        return await tryPlaybook(tx, { scope, caller, playbook, inputs: body.inputs, idempotencyKey });
      });
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function editorOf({ caller, requestId }: TenantContext): Editor {
  return { actor: auditActor(caller), username: caller.username, requestId };
}

/** Letters and digits of the name, so that it is a name of a file anywhere. */
function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  return plain === '' ? 'playbook' : plain;
}
