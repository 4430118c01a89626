import type { Policy } from '@airdeck/contracts/policies/schema';
import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { policyQueries } from '../../queries/policies.ts';
import { useTenantApi } from '../../session/app-context.ts';

const SHOWN = 50;

type Props = { value: string; problem: string | undefined; onChange: (ruleId: string) => void };

/** Which policy it answers; the server looks through all of them while one types. */
export function PolicyField({ value, problem, onChange }: Props) {
  const tenantApi = useTenantApi();
  const [typed, setTyped] = useState('');
  const chosen = useQuery({ ...policyQueries.detail(tenantApi, value), enabled: value !== '' });
  const chosenLabel = chosen.data === undefined ? undefined : labelOf(chosen.data);
  // What stands in the field is what is chosen, not a search.
  const q = typed.trim() === chosenLabel ? '' : typed.trim();
  const list = useQuery({
    ...policyQueries.list(tenantApi, { page_size: SHOWN, ...(q === '' ? {} : { q }) }),
    placeholderData: keepPreviousData,
  });
  const options = (list.data?.rules ?? []).map((policy) => ({ value: policy.id, label: labelOf(policy) }));
  const isListed = options.some((option) => option.value === value);
  return (
    <Select
      id="automation-rule_id"
      label={t('For cases of this policy')}
      placeholder={t('Search policies')}
      searchable
      required
      value={value === '' ? null : value}
      error={problem}
      data={
        value === '' || isListed || chosenLabel === undefined ? options : [{ value, label: chosenLabel }, ...options]
      }
      filter={({ options: all }) => all}
      nothingFoundMessage={list.isPending ? t('Searching…') : t('No policy fits.')}
      onSearchChange={setTyped}
      onChange={(next) => onChange(next ?? '')}
      maxDropdownHeight={280}
    />
  );
}

/** The same wherever it stands: the field takes the label of what is chosen for a search when it changes. */
function labelOf({ enabled, rule: { name } }: Pick<Policy, 'enabled' | 'rule'>): string {
  return enabled ? name : t('{name} · switched off', { name });
}
