/** Pages of runs, newest first. */
import type { RunStatus } from '@airdeck/contracts/statuses';
import type { RunOutline, SqlClient } from '@airdeck/engine/interfaces';
import { areOpen, listRuns } from '@airdeck/engine/reads';
import { type RunOutlineRow, runOutlineColumns, runOutlineFromRow } from '@airdeck/engine/rows';

export type RunPage = {
  tenantId: string;
  skip: number;
  limit: number;
  statuses: readonly RunStatus[] | undefined;
  /** Part of the name, in any case. */
  q: string | undefined;
  playbookId: string | undefined;
};

export async function listRunPage(sql: SqlClient, page: RunPage): Promise<RunOutline[]> {
  if (page.playbookId !== undefined) {
    const { text, values } = runsOfPlaybookQuery({ ...page, playbookId: page.playbookId });
    return (await sql.query<RunOutlineRow>(text, values)).rows.map(runOutlineFromRow);
  }
  return await listRuns(sql, {
    tenantId: page.tenantId,
    kinds: ['playbook'],
    limit: page.limit,
    offset: page.skip,
    ...(page.statuses ? { statuses: page.statuses } : {}),
    ...(page.q ? { search: page.q } : {}),
  });
}

/**
 * The page first, from the index of the playbook's runs in its order; a run is read only for a condition on it or when it is
 * on the page. Only conditions that are asked for are in the text.
 */
export function runsOfPlaybookQuery(page: RunPage & { playbookId: string }): { text: string; values: unknown[] } {
  const values: unknown[] = [page.tenantId, page.playbookId, page.limit, page.skip];
  const conditions: string[] = [];
  if (page.statuses) conditions.push(`r.status = any($${values.push(page.statuses)}::text[])`);
  if (areOpen(page.statuses)) conditions.push('r.finished_at is null');
  if (page.q) conditions.push(`strpos(lower(r.name), lower($${values.push(page.q)})) > 0`);
  const run =
    conditions.length === 0
      ? ''
      : `join engine.run r on r.tenant_id = n.tenant_id and r.id = n.run_id and ${conditions.join(' and ')}`;
  const text = `select ${runOutlineColumns('r')}
     from (
       select n.run_id from playbook_run n ${run}
       where n.tenant_id = $1 and n.playbook_id = $2 order by n.run_id desc limit $3 offset $4
     ) page join engine.run r on r.tenant_id = $1 and r.id = page.run_id
     order by page.run_id desc`;
  return { text, values };
}
