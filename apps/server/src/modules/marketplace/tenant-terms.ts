/**
 * What the marketplace decides about a tenant (plan, seats, term, automation), each written with the means of the module
 * it belongs to, in the caller's system transaction.
 */
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ContractService } from '../contract/contract-port.ts';
import type { TenantChanges } from '../tenants/tenant-changes.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import type { MarketplaceSubscription } from './marketplace-answers.ts';

/** The kill switch, as an Admin of the tenant would use it. */
export type SetAutomation = (tx: Tx, tenant: string, enabled: boolean, by: ChangedBy) => Promise<void>;

export type TermsDependencies = {
  contract: Pick<ContractService, 'get' | 'set'>;
  tenantChanges: TenantChanges;
  settings: { automationEnabled(tx: Tx, tenantId: string): Promise<boolean> };
  setAutomation: SetAutomation;
  now: () => Date;
};

export type Term = NonNullable<MarketplaceSubscription['term']>;
type Dates = { start_date: string; end_date: string };
type OfTenant = { tenant: string; by: ChangedBy };

/** Holds the tenant before it is changed, as its settings and its provider do. */
export async function setPlan(deps: TermsDependencies, tx: Tx, { tenant, plan }: { tenant: string; plan: SkuInfo }) {
  const scope = trustedTenantScope(tenant);
  await deps.tenantChanges.lock(tx, scope);
  await deps.tenantChanges.update(tx, scope, { skuInfo: plan });
}

/** Seats and dates of the contract; what is left out stays as it is. */
export async function setContract(
  deps: TermsDependencies,
  tx: Tx,
  { tenant, by, seats, term }: OfTenant & { seats?: number | null; term?: Term | null },
): Promise<Dates & { seats: number | null }> {
  const scope = trustedTenantScope(tenant);
  const before = await findContract(deps, tx, tenant);
  const dates = term === undefined && before !== undefined ? before : datesOf(term ?? null, deps.now());
  const { start_date, end_date } = dates;
  const wanted = { start_date, end_date, seats: seats === undefined ? (before?.seats ?? null) : seats };
  const renewal_notice_date = noticeOf(before, wanted);
  await deps.contract.set(tx, scope, { ...wanted, renewal_notice_date }, by);
  return wanted;
}

/** Whether the contract's days are those of the term. */
export async function hasTerm(
  deps: TermsDependencies,
  tx: Tx,
  { tenant, term }: { tenant: string; term: Term },
): Promise<boolean> {
  const contract = await findContract(deps, tx, tenant);
  const { start_date, end_date } = datesOf(term, deps.now());
  return contract?.start_date === start_date && contract.end_date === end_date;
}

/** As long before the end as it was: the day of the term before would lie before all of this one. */
function noticeOf(before: (Dates & { renewal_notice_date: string | null }) | undefined, now: Dates): string | null {
  const notice = before?.renewal_notice_date ?? null;
  if (before === undefined || notice === null || before.end_date === now.end_date) return notice;
  const moved = Date.parse(notice) + Date.parse(now.end_date) - Date.parse(before.end_date);
  const day = new Date(moved).toISOString().slice(0, 10);
  return day < now.start_date ? null : day;
}

/** True when automation was running, so that whoever stops it knows whether to start it again. */
export async function stopAutomation(deps: TermsDependencies, tx: Tx, { tenant, by }: OfTenant): Promise<boolean> {
  const wasOn = await deps.settings.automationEnabled(tx, tenant);
  if (wasOn) await deps.setAutomation(tx, tenant, false, by);
  return wasOn;
}

export async function startAutomation(deps: TermsDependencies, tx: Tx, { tenant, by }: OfTenant): Promise<void> {
  if (!(await deps.settings.automationEnabled(tx, tenant))) await deps.setAutomation(tx, tenant, true, by);
}

async function findContract(deps: TermsDependencies, tx: Tx, tenant: string) {
  try {
    return await deps.contract.get(tx, trustedTenantScope(tenant));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** ISO 8601 duration of a term; the marketplace has months and years. */
const TERM_UNIT = /^P(\d{1,2})([MY])$/;

/** A purchase that is being activated has no dates yet: its term begins now. */
export function datesOf(term: Term | null, now: Date): Dates {
  const start = term?.startDate ?? now;
  const given = term?.endDate ?? null;
  const end = given !== null && day(given) > day(start) ? given : afterUnit(start, term?.termUnit ?? null);
  return { start_date: day(start), end_date: day(end) };
}

function afterUnit(start: Date, unit: string | null): Date {
  const [, count = '1', kind = 'M'] = TERM_UNIT.exec(unit ?? '') ?? [];
  const months = Math.max(1, Number(count)) * (kind === 'Y' ? 12 : 1);
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
