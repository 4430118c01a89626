import { type AuditVerdictOnWire, auditVerdictSchema } from '@airdeck/contracts/audit/schema';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { ask, serverFor } from '../server-access.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { tenant: string; json?: true };

/** Each begins with the record it is about. */
const reasons: Readonly<Record<NonNullable<AuditVerdictOnWire['broken']>['reason'], string>> = {
  missing: 'is missing',
  unlinked: 'does not follow the one before it',
  changed: 'was changed',
  head_mismatch: 'is not the one the chain ends with: records at the end were taken out',
};

export function addAudit(program: Command, surroundings: Surroundings, setExitCode: (code: number) => void): void {
  const audit = program.command('audit').description('work on audit logs');
  audit
    .command('verify')
    .description('walk the hash chain of a tenant and say whether every record is as it was written')
    .requiredOption('--tenant <id>', 'id of the tenant; only its Admins may')
    .option('--json', 'answer { intact, records, head, broken } as JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 intact, 1 broken, 2 the input is wrong, 3 no verdict: no server answered, or it refused',
    )
    .action(async ({ tenant, json }: Options) => {
      const verdict = await verdictOf(surroundings, tenant).catch(withoutVerdict);
      surroundings.result(json ? JSON.stringify(verdict) : sentence(verdict));
      if (!verdict.intact) setExitCode(1);
    });
}

async function verdictOf(surroundings: Surroundings, tenant: string): Promise<AuditVerdictOnWire> {
  const server = await serverFor(surroundings, tenant, (role) => role === 'Admin');
  const path = `/api/tenants/${encodeURIComponent(tenant)}/audit/verify`;
  return await ask(surroundings, server, { path, schema: auditVerdictSchema, kind: 'a verdict' });
}

/** A schedule has to tell a server that is away from a chain that is broken. What was written wrong stays that. */
function withoutVerdict(error: unknown): never {
  if (!(error instanceof CommandError) || error.exitCode !== 1) throw error;
  const { code, message, path } = error;
  throw new CommandError(code, message, { exitCode: 3, cause: error, ...(path === undefined ? {} : { path }) });
}

/** The hash is there to be noted down elsewhere: it tells later whether the whole log was written anew. */
function sentence({ intact, records, head, broken }: AuditVerdictOnWire): string {
  if (intact) return `The audit log is intact: ${records} records. Hash of the last: ${head}`;
  const place = broken === null ? '' : `: record ${broken.sequence} ${reasons[broken.reason]}`;
  return `The audit log is broken${place}. The ${records} before it are intact.`;
}
