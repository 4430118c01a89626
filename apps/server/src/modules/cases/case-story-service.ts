import { sql } from 'kysely';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Changes } from '../stream/changes.ts';
import type { CaseStory } from './case-story.ts';
import { changeCase, insertActivity, upsertResponse } from './cases-repository.ts';

type Dependencies = { now: () => Date; ids: () => string; changes: Pick<Changes, 'announce'> };

export function createCaseStory({ now, ids, changes }: Dependencies): CaseStory {
  return {
    async add(tx, { tenant, caseId, ...entry }) {
      const scope = trustedTenantScope(tenant);
      const at = now();
      // The case first: its row lock keeps the entries of one case in the order of their times.
      const row = await changeCase(tx, scope, { id: caseId, set: { time_updated: at } });
      if (row === undefined) return;
      await insertActivity(tx, scope, [{ id: ids(), caseId, at, ...entry }]);
      await changes.announce(tx, { tenant, kind: 'case', id: caseId, status: row.status });
    },

    async setResponseStatus(tx, { tenant, caseId, responseName, responseType, runId, status, byHand }) {
      const scope = trustedTenantScope(tenant);
      const at = now();
      const row = await changeCase(tx, scope, { id: caseId, set: { time_updated: at } });
      if (row === undefined) return;
      await upsertResponse(tx, scope, {
        case_id: caseId,
        run_id: runId,
        response_name: responseName,
        response_type: responseType,
        status,
        by_hand: byHand,
        started_at: at,
      });
      await changes.announce(tx, { tenant, kind: 'case', id: caseId, status: row.status });
    },

    async automatedResponseSucceeded(tx, { tenant, caseId, at }) {
      const row = await changeCase(tx, trustedTenantScope(tenant), {
        id: caseId,
        set: {
          automated_response_at: sql<Date>`least(automated_response_at, ${at}::timestamptz)`,
          time_updated: now(),
        },
      });
      if (row === undefined) return;
      await changes.announce(tx, { tenant, kind: 'case', id: caseId, status: row.status });
    },
  };
}
