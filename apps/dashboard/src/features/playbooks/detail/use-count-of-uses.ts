import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';

/** How many policies and playbooks start this one, in words. */
export function useCountOfUses(id: string): string {
  const { data } = useQuery(playbookQueries.usedBy(useTenantApi(), id));
  if (data === undefined) return t('See what');
  const parts = [
    counted(data.policies.length, 'policy', 'policies'),
    counted(data.playbooks.length, 'playbook', 'playbooks'),
  ];
  const words = parts.filter((part) => part !== undefined).join(', ');
  return words === '' ? t('Nothing') : words;
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`;
}
