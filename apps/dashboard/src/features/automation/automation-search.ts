import { limits } from '@airdeck/contracts/limits';
import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, choiceParam, textParam } from '../../lib/search-params.ts';

/** Search parameters of the list (spec §2). */
export function automationListSearch(search: Record<string, unknown>) {
  return checkedSearch({ q: textParam(search, 'q', limits.searchTextMax) });
}

// Not the contract's own list: its file brings the schema library, and addresses are read before any screen is there.
const automationTypes = ['action', 'playbook'] as const;

/** What a new automation starts filled in with (spec §2): its policy, and the action or playbook it starts. */
export function newAutomationSearch(search: Record<string, unknown>) {
  const ruleId = textParam(search, 'rule_id', 36)?.toLowerCase();
  return checkedSearch({
    rule_id: ruleId !== undefined && isUuid(ruleId) ? ruleId : undefined,
    automation_id: textParam(search, 'automation_id', 200),
    automation_type: choiceParam(search, 'automation_type', automationTypes),
  });
}

export type NewAutomationSearch = ReturnType<typeof newAutomationSearch>;
