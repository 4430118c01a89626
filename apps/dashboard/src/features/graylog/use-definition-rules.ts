import { useInfiniteQuery } from '@tanstack/react-query';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** Automations that answer the alerts of a definition; asked only for those who may see them. */
export function useDefinitionRules({ id, title }: Pick<EventDefinition, 'id' | 'title'>) {
  const { allowed } = useAccess('graylogAutomation');
  const list = useInfiniteQuery({ ...automationRuleQueries.list(useTenantApi(), title), enabled: allowed });
  const rules = list.data?.pages.flat().filter(({ event_category_id }) => event_category_id === id);
  const { error, isFetching } = list;
  return { allowed, rules, error, isFetching, retry: () => void list.refetch() };
}

export type DefinitionRulesState = ReturnType<typeof useDefinitionRules>;
