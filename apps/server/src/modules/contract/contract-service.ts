import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { storableText } from '@airdeck/domain/storable-json';
import { AppError } from '../../http/app-error.ts';
import { overtaken } from '../../http/overtaken.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { BillingFacts, ContractFile, ContractService, ContractTerms } from './contract-port.ts';
import {
  countFiles,
  deleteFile,
  type FileRow,
  findBilling,
  findContract,
  findFile,
  insertBilling,
  insertContract,
  insertFile,
  listFiles,
  lockBilling,
  lockContract,
  updateBilling,
  updateContract,
} from './contract-repository.ts';

const noBilling: BillingFacts = {
  address: '',
  city: '',
  contact_email: '',
  contact_name: '',
  contact_phone: '',
  state: '',
  zip_code: '',
};

type Dependencies = { ids: () => string; now: () => Date; audit: Pick<AuditLog, 'record'> };

export function createContractService({ ids, now, audit }: Dependencies): ContractService {
  const record = (
    tx: Tx,
    scope: TenantScope,
    what: { action: AuditAction; target: AuditEntry['target']; data: Record<string, unknown> },
    by: ChangedBy,
  ) =>
    audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      ...what,
      outcome: 'ok',
      request_id: by.requestId,
    });

  async function requireRoom(tx: Tx, scope: TenantScope): Promise<void> {
    if ((await lockContract(tx, scope)) === undefined) throw noContract();
    if ((await countFiles(tx, scope)) < serverLimits.contractFilesMax) return;
    throw new AppError('CONFLICT', refusal('CONTRACT_FILES_TOO_MANY', { maximum: serverLimits.contractFilesMax }));
  }

  return {
    get: terms,
    async set(tx, scope, { replaces, ...wanted }, by) {
      const isFirst = await insertContract(tx, scope, { ...wanted, id: ids(), at: now() });
      const before = isFirst ? undefined : await lockContract(tx, scope);
      if (replaces !== undefined && !mayReplace(before ?? null, { wanted, replaces })) {
        throw overtaken('body.replaces', {
          message: 'Somebody else changed these terms in the meantime. Load them again and look before you save.',
        });
      }
      if (!isFirst) await updateContract(tx, scope, { ...wanted, at: now() });
      const after = await terms(tx, scope);
      await record(tx, scope, { action: 'contract.set', target: { kind: 'contract', id: after.id }, data: wanted }, by);
      return after;
    },
    async findFile(tx, scope, id) {
      const row = await findFile(tx, scope, id);
      if (row === undefined) throw noFile();
      return fileOnWire(row);
    },
    requireRoom,
    async addFile(tx, scope, { id, name, sizeBytes }, by) {
      await requireRoom(tx, scope);
      const label = labelOf(name);
      const row = { id, tenant_id: scope.tenantId, name: label, size_bytes: sizeBytes, uploaded_at: now() };
      await insertFile(tx, row);
      const data = { name: label, size_bytes: sizeBytes };
      await record(tx, scope, { action: 'contract.add_file', target: { kind: 'file', id }, data }, by);
      return fileOnWire(row);
    },
    async removeFile(tx, scope, id, by) {
      const row = await deleteFile(tx, scope, id);
      if (row === undefined) throw noFile();
      const data = { name: row.name };
      await record(tx, scope, { action: 'contract.delete_file', target: { kind: 'file', id }, data }, by);
    },
    getBilling: async (tx, scope) => ({ ...((await findBilling(tx, scope)) ?? noBilling), tenant: scope.tenantId }),
    async setBilling(tx, scope, { replaces, ...input }, by) {
      const texts = Object.entries(input).map(([name, text]) => [name, storableText(text)]);
      const stored = Object.fromEntries(texts) as BillingFacts;
      const isFirst = await insertBilling(tx, scope, { ...stored, at: now() });
      const before = isFirst ? undefined : await lockBilling(tx, scope);
      if (replaces !== undefined && !mayReplace(before ?? noBilling, { wanted: stored, replaces })) {
        throw overtaken('body.replaces', {
          message:
            'Somebody else changed the billing information in the meantime. Load it again and look before you save.',
        });
      }
      if (!isFirst) await updateBilling(tx, scope, { ...stored, at: now() });
      const target = { kind: 'billing', id: scope.tenantId } as const;
      await record(tx, scope, { action: 'billing.set', target, data: {} }, by);
      return { ...stored, tenant: scope.tenantId };
    },
  };
}

/** Whether what is there is what the change was made from, or already what it asks for: who had no answer may ask again. */
function mayReplace<Facts extends object>(
  now: Facts | null,
  { wanted, replaces }: { wanted: Facts; replaces: Facts | null },
): boolean {
  const is = (other: Facts | null) => now === other || (now !== null && other !== null && isSame(now, other));
  return is(replaces) || is(wanted);
}

function isSame<Facts extends object>(one: Facts, other: Facts): boolean {
  return (Object.keys(one) as (keyof Facts)[]).every((name) => one[name] === other[name]);
}

async function terms(tx: Tx, scope: TenantScope): Promise<ContractTerms> {
  const row = await findContract(tx, scope);
  if (row === undefined) throw noContract();
  const { tenant_id: tenant, ...facts } = row;
  return { ...facts, tenant, files: (await listFiles(tx, scope)).map(fileOnWire) };
}

/** One line that a file list, a header and an audit record can show. */
function labelOf(name: string): string {
  const label = storableText(name)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim();
  if (label !== '') return label;
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'query.name', message: 'Enter a name.' }] });
}

function fileOnWire(row: FileRow): ContractFile {
  return { id: row.id, name: row.name, size_bytes: row.size_bytes, uploaded_at: row.uploaded_at.toISOString() };
}

function noContract(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no contract yet.' });
}

export function noFile(): AppError {
  return new AppError('NOT_FOUND', { message: 'This file does not exist.' });
}
