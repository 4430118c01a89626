import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { isUuid } from '@airdeck/domain/uuid';
import { notFound } from '@tanstack/react-router';
import { orNotFound } from '../../lib/or-not-found.ts';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import { type AppContext, tenantApiOf } from '../../session/app-context.ts';

/** The automation of an address. Throws the router's own not-found. */
export async function loadRule(context: AppContext, id: string): Promise<AutomationRule> {
  return await context.queryClient.ensureQueryData(ruleQuery(context, id)).catch(orNotFound);
}

/** The same for one of its responses. What is known may be from before it was added or named so. */
export async function loadResponse(context: AppContext, id: string, name: string): Promise<AutomationRule> {
  const known = await loadRule(context, id);
  if (hasResponse(known, name)) return known;
  const query = { ...ruleQuery(context, id), staleTime: 0 };
  const rule = await context.queryClient.fetchQuery(query).catch(orNotFound);
  if (!hasResponse(rule, name)) throw notFound();
  return rule;
}

function ruleQuery(context: AppContext, id: string) {
  if (!isUuid(id)) throw notFound();
  return automationRuleQueries.detail(tenantApiOf(context), id.toLowerCase());
}

function hasResponse({ actions }: AutomationRule, name: string): boolean {
  return actions.responses.some((response) => response.name === name);
}
