import type { Role } from '@airdeck/contracts/access/roles';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import {
  type SavedSearch,
  type SavedSearchInput,
  type SavedSearchUpdate,
  searchLimits,
} from '@airdeck/contracts/search/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { refuseLarge, selectEvents } from './event-selection.ts';
import {
  countSavedSearches,
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  isNameTaken,
  listSavedSearches,
  lockSavedSearches,
  type SavedSearchRow,
  updateSavedSearch,
} from './saved-searches-repository.ts';

/** Shared searches of everybody together that one list shows. */
const LIST_MAX = 1_000;

/** Who asks. A search that is not theirs and not shared is not there for them, whatever their role. */
export type Searcher = { readonly userId: string; readonly role: Role };

type Dependencies = { ids: () => string; now: () => Date; audit: Pick<AuditLog, 'record'> };

export function createSavedSearchesService({ ids, now, audit }: Dependencies) {
  function record(tx: Tx, scope: TenantScope, action: AuditAction, row: SavedSearchRow, by: ChangedBy): Promise<void> {
    return audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action,
      target: { kind: 'saved_search', id: row.id },
      outcome: 'ok',
      data: { name: row.name, shared: row.shared },
      request_id: by.requestId,
    });
  }

  async function existing(tx: Tx, scope: TenantScope, id: string): Promise<SavedSearchRow> {
    const row = await findSavedSearch(tx, scope, id);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Throws NOT_FOUND for one the searcher cannot see, and ROLE_TOO_LOW for one that others share. */
  async function changeable(tx: Tx, scope: TenantScope, id: string, who: Searcher): Promise<SavedSearchRow> {
    const row = await existing(tx, scope, id);
    if (!isVisible(row, who)) throw new AppError('NOT_FOUND');
    if (isEditable(row, who)) return row;
    throw new AppError('ROLE_TOO_LOW', { message: 'Only its owner and Admins may change a shared search.' });
  }

  async function requireNameFree(
    tx: Tx,
    scope: TenantScope,
    named: { ownerId: string; name: string; except: string | undefined },
  ): Promise<void> {
    if (!(await isNameTaken(tx, scope, named))) return;
    throw new AppError('CONFLICT', { message: 'There is a saved search of this name already.' });
  }

  return {
    async list(tx: Tx, scope: TenantScope, who: Searcher): Promise<SavedSearch[]> {
      const rows = await listSavedSearches(tx, scope, { ownerId: who.userId, limit: LIST_MAX });
      const byName = rows.toSorted((a, b) => compareNames(a.name, b.name));
      return byName.map((row) => onWire(row, who));
    },

    /** Throws QUERY_INVALID for a query that cannot run, and CONFLICT for a name that is taken or one search too many. */
    async create(tx: Tx, scope: TenantScope, who: Searcher, input: SavedSearchInput, by: ChangedBy) {
      requireRunnable(input, now());
      await lockSavedSearches(tx, scope, who.userId);
      if ((await countSavedSearches(tx, scope, who.userId)) >= searchLimits.savedPerPersonMax) {
        throw new AppError('CONFLICT', refusal('SAVED_SEARCHES_TOO_MANY', { maximum: searchLimits.savedPerPersonMax }));
      }
      await requireNameFree(tx, scope, { ownerId: who.userId, name: input.name, except: undefined });
      const id = ids();
      await insertSavedSearch(tx, scope, { id, ownerId: who.userId, at: now(), input });
      const row = await existing(tx, scope, id);
      await record(tx, scope, 'saved_search.create', row, by);
      return onWire(row, who);
    },

    /** Replaces everything but its owner. */
    async update(
      tx: Tx,
      scope: TenantScope,
      who: Searcher,
      { id, input }: { id: string; input: SavedSearchUpdate },
      by: ChangedBy,
    ): Promise<SavedSearch> {
      requireRunnable(input, now());
      const { owner_id: ownerId } = await changeable(tx, scope, id, who);
      await lockSavedSearches(tx, scope, ownerId);
      // Looked at again: it may have been changed or taken away before the lock was ours.
      const before = await changeable(tx, scope, id, who);
      if (input.replaces !== undefined && input.replaces !== before.updated_at.toISOString()) {
        throw new AppError('CONFLICT', { message: 'Somebody else has changed this search. Look at it and try again.' });
      }
      if (!input.shared && ownerId !== who.userId) {
        throw new AppError('CONFLICT', { message: 'Only its owner can take a search back from the others.' });
      }
      await requireNameFree(tx, scope, { ownerId, name: input.name, except: id });
      await updateSavedSearch(tx, scope, { id, at: now(), input });
      const row = await existing(tx, scope, id);
      await record(tx, scope, 'saved_search.update', row, by);
      return onWire(row, who);
    },

    async delete(tx: Tx, scope: TenantScope, who: Searcher, id: string, by: ChangedBy): Promise<void> {
      const row = await changeable(tx, scope, id, who);
      await deleteSavedSearch(tx, scope, id);
      await record(tx, scope, 'saved_search.delete', row, by);
    },
  };
}

function isVisible(row: SavedSearchRow, who: Searcher): boolean {
  return row.shared || row.owner_id === who.userId;
}

function isEditable(row: SavedSearchRow, who: Searcher): boolean {
  return row.owner_id === who.userId || (row.shared && who.role === 'Admin');
}

function requireRunnable({ criteria }: SavedSearchInput, at: Date): void {
  refuseLarge(criteria.filters, { at: 'body.criteria', maximum: searchLimits.savedFiltersCharactersMax });
  selectEvents(criteria, { now: at.getTime(), at: 'body.criteria' });
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { sensitivity: 'base' });
}

function onWire(row: SavedSearchRow, who: Searcher): SavedSearch {
  return {
    id: row.id,
    name: row.name,
    shared: row.shared,
    criteria: row.criteria,
    time_range: row.time_range,
    sort: row.sort,
    columns: row.columns,
    owner: { id: row.owner_id, name: row.owner_name ?? '' },
    own: row.owner_id === who.userId,
    editable: isEditable(row, who),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
