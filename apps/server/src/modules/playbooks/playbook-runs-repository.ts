import type { PlaybookRunNotes } from './playbooks-port.ts';

export const playbookRunNotes: PlaybookRunNotes = {
  async note(tx, scope, { runId, playbook, dryRun }) {
    if (playbook.playbookId === null) return;
    await tx
      .insertInto('playbook_run')
      .values({
        tenant_id: scope.tenantId,
        run_id: runId,
        playbook_id: playbook.playbookId,
        version: playbook.version,
        dry_run: dryRun,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'run_id']).doNothing())
      .execute();
  },

  async playbooksOf(tx, scope, runIds) {
    if (runIds.length === 0) return new Map();
    const rows = await tx
      .selectFrom('playbook_run as n')
      .innerJoin('playbook as p', (join) =>
        join.onRef('p.tenant_id', '=', 'n.tenant_id').onRef('p.id', '=', 'n.playbook_id'),
      )
      .select(['n.run_id', 'n.playbook_id', 'n.version'])
      .where('n.tenant_id', '=', scope.tenantId)
      .where('n.run_id', 'in', [...runIds])
      .execute();
    return new Map(rows.map((row) => [row.run_id, { playbookId: row.playbook_id, version: row.version }]));
  },
};
