import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { isUuid } from '@airdeck/domain/uuid';
import { notFound } from '@tanstack/react-router';
import { orNotFound } from '../../lib/or-not-found.ts';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import { type AppContext, tenantApiOf } from '../../session/app-context.ts';

/** The automation of an address. Throws the router's own not-found. */
export async function loadRule(context: AppContext, id: string): Promise<AutomationRule> {
  if (!isUuid(id)) throw notFound();
  const rule = automationRuleQueries.detail(tenantApiOf(context), id.toLowerCase());
  return await context.queryClient.ensureQueryData(rule).catch(orNotFound);
}
