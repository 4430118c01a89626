import { sql } from 'kysely';
import type { PlaybookRunNotes } from './playbooks-port.ts';

export const playbookRunNotes: PlaybookRunNotes = {
  async note(tx, scope, { runId, playbook, dryRun }) {
    if (playbook.playbookId === null) return;
    // The lock waits for somebody who deletes it just now: then there is nothing to note, and the run goes on without.
    await sql`
      insert into playbook_run (tenant_id, run_id, playbook_id, version, dry_run)
      select p.tenant_id, ${runId}, p.id, ${playbook.version}, ${dryRun}
      from (select tenant_id, id from playbook
            where tenant_id = ${scope.tenantId} and id = ${playbook.playbookId} for key share) p
      on conflict (tenant_id, run_id) do nothing`.execute(tx);
  },

  async playbooksOf(tx, scope, runIds) {
    if (runIds.length === 0) return new Map();
    const rows = await tx
      .selectFrom('playbook_run')
      .select(['run_id', 'playbook_id', 'version'])
      .where('tenant_id', '=', scope.tenantId)
      .where('run_id', 'in', [...runIds])
      .execute();
    return new Map(rows.map((row) => [row.run_id, { playbookId: row.playbook_id, version: row.version }]));
  },
};
