import type { Playbook, PlaybookDefinition, PlaybookUse } from '@airdeck/contracts/playbooks/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { auditEntry, notThere } from './playbook-changes.ts';
import { figuresOf } from './playbook-figures.ts';
import { playbookOnTheWire } from './playbook-view.ts';
import type { RunnablePlaybooks } from './playbooks-port.ts';
import {
  addVersion,
  findPlaybook,
  insertPlaybook,
  type ListedRow,
  listPlaybooks,
  publishedCalls,
} from './playbooks-repository.ts';

type ChangedBy = { actor: AuditActor; requestId: string | null };

/** What automatic responses tell about playbooks. */
export type ResponsesPort = {
  starting(tx: Tx, scope: TenantScope, playbookId: string): Promise<PlaybookUse['policies']>;
  startedByPolicies(tx: Tx, scope: TenantScope): Promise<ReadonlySet<string>>;
};

/** What the automation rules of log management tell about playbooks. */
export type AutomationsPort = {
  starting(tx: Tx, scope: TenantScope, playbookId: string): Promise<PlaybookUse['automations']>;
  startedByRules(tx: Tx, scope: TenantScope): Promise<ReadonlySet<string>>;
};

export type PlaybooksService = RunnablePlaybooks & {
  list(tx: Tx, scope: TenantScope): Promise<Playbook[]>;
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope, id: string): Promise<Playbook>;
  /** What starts it: automatic responses, automation rules, and actions of other published playbooks. */
  usesOf(tx: Tx, scope: TenantScope, id: string): Promise<PlaybookUse>;
  /**
   * Adds a playbook of the product, published as it is. Returns its id. With an `id` of its own, one that is there already
   * stays as it is, whatever people made of it since.
   */
  create(
    tx: Tx,
    scope: TenantScope,
    definition: PlaybookDefinition,
    by: ChangedBy,
    options?: { id?: string },
  ): Promise<string>;
};

type Dependencies = {
  ids: () => string;
  now: () => Date;
  audit: Pick<AuditLog, 'record'>;
  responses: ResponsesPort;
  automations: AutomationsPort;
};

export function createPlaybooksService(deps: Dependencies): PlaybooksService {
  const { now, responses, automations } = deps;

  async function wire(tx: Tx, scope: TenantScope, rows: readonly ListedRow[]): Promise<Playbook[]> {
    const figures = await figuresOf(tx, scope, { ids: rows.map(({ id }) => id), now: now() });
    const calls = [...(await publishedCalls(tx, scope)).values()].flatMap((playbook) => playbook.calls);
    const starters = {
      policies: await responses.startedByPolicies(tx, scope),
      automations: await automations.startedByRules(tx, scope),
      playbooks: new Set(calls.map(({ playbook_id }) => playbook_id)),
    };
    return rows.map((row) => playbookOnTheWire(row, { figures: figures(row.id), starters }));
  }

  const service: PlaybooksService = {
    list: async (tx, scope) =>
      await wire(tx, scope, await listPlaybooks(tx, scope, { limit: serverLimits.playbooksMax })),

    async get(tx, scope, id) {
      const [playbook] = await wire(tx, scope, await listPlaybooks(tx, scope, { id, limit: 1 }));
      if (!playbook) throw notThere();
      return playbook;
    },

    async usesOf(tx, scope, id) {
      const policies = await responses.starting(tx, scope, id);
      const rules = await automations.starting(tx, scope, id);
      const published = [...(await publishedCalls(tx, scope)).values()];
      const playbooks = published.flatMap((playbook) =>
        playbook.calls
          .filter((call) => call.playbook_id === id && playbook.id !== id)
          .map(({ action_id }) => ({ id: playbook.id, name: playbook.name, action_id })),
      );
      return { policies, automations: rules, playbooks };
    },

    async findForRun(tx, scope, id) {
      const row = await findPlaybook(tx, scope, id);
      if (!row?.definition) return undefined;
      const { version, definition } = row;
      return { playbookId: id, version, name: definition.metadata.name, definition };
    },

    async getForRun(tx, scope, id) {
      const playbook = await service.findForRun(tx, scope, id);
      if (playbook) return playbook;
      throw (await findPlaybook(tx, scope, id)) ? new AppError('PLAYBOOK_NOT_PUBLISHED') : notThere();
    },

    async create(tx, scope, definition, by, options = {}) {
      const id = options.id ?? deps.ids();
      const at = now();
      if (!(await insertPlaybook(tx, scope, { id, version: 1, definition, requestHash: null, at }))) return id;
      await addVersion(tx, scope, {
        ...{ playbook_id: id, version: 1, definition, note: '' },
        ...{ published_at: at, published_by: by.actor.name },
      });
      const data = { name: definition.metadata.name };
      await deps.audit.record(
        tx,
        auditEntry(scope, { id, action: 'playbook.create', data }, { ...by, username: by.actor.name }),
      );
      return id;
    },
  };
  return service;
}
