import { storableJson } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Changes } from '../stream/changes.ts';
import { endAssignments } from './case-assignee.ts';
import { searchTextOf } from './case-search-text.ts';
import { insertActivity } from './cases-repository.ts';

/** What happens to cases when somebody leaves. */
export interface CasePeople {
  /**
   * Takes the assignment off every case of these tenants that is not closed yet, and tells in its story by whom; closed cases
   * keep the name of who had them. Returns how many. Needs a system transaction; the caller audits why.
   */
  unassign(tx: Tx, username: string, from: readonly Leaving[]): Promise<number>;
}

export type Leaving = { tenant: string; by: string };

type Dependencies = { now: () => Date; ids: () => string; changes: Pick<Changes, 'announce'> };

export function createCasePeople({ now, ids, changes }: Dependencies): CasePeople {
  return {
    async unassign(tx, username, from) {
      if (from.length === 0) return 0;
      await endAssignments(tx, username);
      const at = now();
      const tenants = from.map(({ tenant }) => tenant);
      // All at once, in the order of ids: whoever locks cases of several tenants does.
      const cases = await tx
        .selectFrom('case_record')
        .selectAll()
        .where('tenant_id', 'in', tenants)
        .where('assignee', '=', username)
        .where('status', '<>', 'closed')
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();
      for (const { tenant, by } of from) {
        const own = cases.filter((row) => row.tenant_id === tenant);
        if (own.length === 0) continue;
        const texts = own.map((row) => ({ id: row.id, text: searchTextOf({ ...row, assignee: null }) }));
        await sql`
          update case_record c set assignee = null, search_text = t."text", time_updated = ${at}
          from json_to_recordset(${storableJson(texts)}::json) as t ("id" uuid, "text" text)
          where c.tenant_id = ${tenant}::uuid and c.id = t."id"`.execute(tx);
        const text = 'Assignment removed';
        const data = { from: username, to: null };
        await insertActivity(
          tx,
          trustedTenantScope(tenant),
          own.map(({ id }) => ({ id: ids(), caseId: id, at, username: by, kind: 'assigned', text, data })),
        );
        for (const { id, status } of own) await changes.announce(tx, { tenant, kind: 'case', id, status });
      }
      return cases.length;
    },
  };
}
