import type { Billing, billingInputSchema, Contract, contractInputSchema } from '@airdeck/contracts/contract/schema';
import type { z } from 'zod';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';

export type ContractInput = z.output<typeof contractInputSchema>;
export type BillingInput = z.output<typeof billingInputSchema>;
/** What is kept of them. */
export type TermFacts = Omit<ContractInput, 'replaces'>;
export type BillingFacts = Omit<BillingInput, 'replaces'>;
export type ContractFile = Contract['files'][number];
/** What is the same for every reader. Its `seats_used` are the members; those invited are counted by whoever sees them. */
export type ContractTerms = Omit<Contract, 'editable'>;

/** Who may write is decided by whoever calls; the rows and their audit records are one transaction. */
export interface ContractService {
  /** Throws NOT_FOUND while there is no contract. */
  get(tx: Tx, scope: TenantScope): Promise<ContractTerms>;
  /** Throws CONFLICT unless what is there is what the input `replaces`, or already what it asks for. */
  set(tx: Tx, scope: TenantScope, input: ContractInput, by: ChangedBy): Promise<ContractTerms>;
  /** Throws NOT_FOUND. */
  findFile(tx: Tx, scope: TenantScope, id: string): Promise<ContractFile>;
  /** Room for one more file? Throws NOT_FOUND without a contract and CONFLICT without room. */
  requireRoom(tx: Tx, scope: TenantScope): Promise<void>;
  /** Throws NOT_FOUND without a contract and CONFLICT without room. */
  addFile(
    tx: Tx,
    scope: TenantScope,
    file: { id: string; name: string; sizeBytes: number },
    by: ChangedBy,
  ): Promise<ContractFile>;
  /** Throws NOT_FOUND. */
  removeFile(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void>;
  getBilling(tx: Tx, scope: TenantScope): Promise<Billing>;
  /** Throws CONFLICT unless what is there is what the input `replaces`, or already what it asks for. */
  setBilling(tx: Tx, scope: TenantScope, input: BillingInput, by: ChangedBy): Promise<Billing>;
}
