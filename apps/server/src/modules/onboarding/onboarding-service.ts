import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { Onboarding, onboardingInputSchema } from '@airdeck/contracts/onboarding/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Changes } from '../stream/changes.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import {
  countOthers,
  deleteOnboarding,
  listOnboardings,
  lockOnboardings,
  type OnboardingRow,
  saveOnboarding,
} from './onboarding-repository.ts';
import { findSecretKey } from './secret-keys.ts';

const DATA_MAX_BYTES = 16_384;

export type OnboardingInput = z.output<typeof onboardingInputSchema>;

export type OnboardingService = {
  list(tx: Tx, scope: TenantScope): Promise<Onboarding[]>;
  /** Begins the onboarding of that id or replaces it. Throws VALIDATION_FAILED for its data, CONFLICT without room. */
  save(tx: Tx, scope: TenantScope, save: { id: string; input: OnboardingInput }, by: ChangedBy): Promise<Onboarding>;
  /** Throws NOT_FOUND. */
  delete(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void>;
};

type Dependencies = {
  now: () => Date;
  audit: Pick<AuditLog, 'record'>;
  changes: Pick<Changes, 'announce'>;
};

export function createOnboardingService({ now, audit, changes }: Dependencies): OnboardingService {
  async function tell(tx: Tx, row: OnboardingRow, action: AuditAction, by: ChangedBy): Promise<void> {
    await changes.announce(tx, { tenant: row.tenant_id, kind: 'onboarding', id: row.id });
    await audit.record(tx, {
      tenant: row.tenant_id,
      actor: by.actor,
      action,
      target: { kind: 'onboarding', id: row.id },
      outcome: 'ok',
      data: { kind: row.kind, title: row.title, step: row.step },
      request_id: by.requestId,
    });
  }

  return {
    list: async (tx, scope) => (await listOnboardings(tx, scope, serverLimits.onboardingsMax)).map(onWire),

    async save(tx, scope, { id, input }, by) {
      const data = checkedData(input.data);
      await lockOnboardings(tx, scope);
      if ((await countOthers(tx, scope, id)) >= serverLimits.onboardingsMax) {
        throw new AppError('CONFLICT', refusal('ONBOARDINGS_TOO_MANY', { maximum: serverLimits.onboardingsMax }));
      }
      const { kind, title, step, steps } = input;
      const saved = { id, kind, title, step, steps, data };
      const row = await saveOnboarding(tx, scope, { ...saved, created_by: by.actor.name, at: now() });
      await tell(tx, row, 'onboarding.save', by);
      return onWire(row);
    },

    async delete(tx, scope, id, by) {
      const row = await deleteOnboarding(tx, scope, id);
      if (row === undefined) throw new AppError('NOT_FOUND', { message: 'This onboarding does not exist.' });
      await tell(tx, row, 'onboarding.delete', by);
    },
  };
}

/** What is stored for others to go on with must not hold what only the connector's own store may hold. */
function checkedData(data: OnboardingInput['data']): string {
  const secret = findSecretKey(data);
  if (secret !== undefined) {
    const message = 'Secrets are not kept with an onboarding. Leave this out and enter it in the last step.';
    throw new AppError('VALIDATION_FAILED', { details: [{ path: `body.data.${secret.slice(0, 200)}`, message }] });
  }
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) <= DATA_MAX_BYTES) return text;
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.data', message: 'At most 16 kB.' }] });
}

function onWire({ tenant_id: tenant, updated_at: updated, ...rest }: OnboardingRow): Onboarding {
  return { ...rest, tenant, updated_at: updated.toISOString() };
}
