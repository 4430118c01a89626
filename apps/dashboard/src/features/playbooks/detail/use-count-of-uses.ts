import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';

/** How many policies, playbooks and automations start this one, in words. */
export function useCountOfUses(id: string): string {
  const { data } = useQuery(playbookQueries.usedBy(useTenantApi(), id));
  if (data === undefined) return t('See what');
  const parts = [
    data.policies.length === 0 ? undefined : plural(data.policies.length, '{count} policy', '{count} policies'),
    data.playbooks.length === 0 ? undefined : plural(data.playbooks.length, '{count} playbook', '{count} playbooks'),
    data.automations.length === 0
      ? undefined
      : plural(data.automations.length, '{count} automation', '{count} automations'),
  ];
  const words = parts.filter((part) => part !== undefined).join(', ');
  return words === '' ? t('Nothing') : words;
}
