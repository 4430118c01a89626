import { storableJson } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Changes } from '../stream/changes.ts';
import { insertActivity, searchTextOf } from './cases-repository.ts';

/** What happens to cases when somebody leaves. */
export interface CasePeople {
  /**
   * Takes the assignment off every case of the tenant that is not closed yet, and tells so in its story; closed cases
   * keep the name of who had them. Returns how many. Needs a system transaction; the caller audits why.
   */
  unassign(tx: Tx, leaving: { tenant: string; username: string; by: string }): Promise<number>;
}

type Dependencies = { now: () => Date; ids: () => string; changes: Pick<Changes, 'announce'> };

export function createCasePeople({ now, ids, changes }: Dependencies): CasePeople {
  return {
    async unassign(tx, { tenant, username, by }) {
      const at = now();
      const cases = await tx
        .selectFrom('case_record')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('assignee', '=', username)
        .where('status', '<>', 'closed')
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();
      if (cases.length === 0) return 0;
      const texts = cases.map((row) => ({ id: row.id, text: searchTextOf({ ...row, assignee: null }) }));
      await sql`
        update case_record c set assignee = null, search_text = t."text", time_updated = ${at}
        from json_to_recordset(${storableJson(texts)}::json) as t ("id" uuid, "text" text)
        where c.tenant_id = ${tenant}::uuid and c.id = t."id"`.execute(tx);
      const text = 'Assignment removed';
      const data = { from: username, to: null };
      await insertActivity(
        tx,
        trustedTenantScope(tenant),
        cases.map(({ id }) => ({ id: ids(), caseId: id, at, username: by, kind: 'assigned', text, data })),
      );
      for (const { id, status } of cases) await changes.announce(tx, { tenant, kind: 'case', id, status });
      return cases.length;
    },
  };
}
