import { hasRole, type Role } from './roles.ts';

/** Flags of a tenant's plan that switch whole areas on (spec §3, `sku_info`). */
export type PlanFlag = 'is_search_enabled' | 'is_mdr_enabled';

/** What a screen or route asks of the caller inside one tenant. */
export type Requirement = { readonly role: Role; readonly plan?: PlanFlag };

/**
 * The requirement table of spec §6: one row per area. The server's routes and the dashboard's guards both read it,
 * so neither can be stricter or laxer than the other.
 */
export const requirements = {
  signedIn: { role: 'ReadOnly' },
  search: { role: 'Analyst', plan: 'is_search_enabled' },
  /** Reading what was made. */
  searchReports: { role: 'ReadOnly', plan: 'is_search_enabled' },
  /** Having files of events made, which is a search. */
  searchReportWork: { role: 'Analyst', plan: 'is_search_enabled' },
  playbooks: { role: 'Analyst' },
  actions: { role: 'Analyst' },
  graylogAutomation: { role: 'Analyst' },
  airAutomation: { role: 'Analyst' },
  airWork: { role: 'Analyst' },
  integrations: { role: 'SystemManager' },
  eventSources: { role: 'SystemManager' },
  termDates: { role: 'Admin' },
  tenantSettings: { role: 'Admin' },
  contactDirectory: { role: 'Admin' },
  /** Names to choose from (assignee, approver); the rest of user management is `tenantSettings`. */
  people: { role: 'Analyst' },
  onboarding: { role: 'SystemManager' },
  audit: { role: 'Admin' },
  customers: { role: 'Admin' },
  managedDetection: { role: 'ReadOnly', plan: 'is_mdr_enabled' },
  executiveReports: { role: 'Analyst', plan: 'is_mdr_enabled' },
  /** Who gets mails with links that need no sign-in, and what is kept. */
  executiveReportSettings: { role: 'Admin', plan: 'is_mdr_enabled' },
} as const satisfies Record<string, Requirement>;

export type Refusal = 'ROLE_TOO_LOW' | 'PLAN_NOT_ENABLED';

/** Undefined when the caller may pass, otherwise why not; role is judged before plan. */
export function refusal(
  requirement: Requirement,
  caller: { role: Role; plan: Readonly<Record<PlanFlag, boolean>> },
): Refusal | undefined {
  if (!hasRole(caller.role, requirement.role)) return 'ROLE_TOO_LOW';
  if (requirement.plan !== undefined && !caller.plan[requirement.plan]) return 'PLAN_NOT_ENABLED';
  return undefined;
}
