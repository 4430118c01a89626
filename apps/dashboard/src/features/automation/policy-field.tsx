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
  const chosenName = chosen.data?.rule.name;
  // What stands in the field is the name of what is chosen, not a search.
  const q = typed.trim() === chosenName ? '' : typed.trim();
  const list = useQuery({
    ...policyQueries.list(tenantApi, { page_size: SHOWN, ...(q === '' ? {} : { q }) }),
    placeholderData: keepPreviousData,
  });
  const options = (list.data?.rules ?? []).map(({ id, enabled, rule }) => ({
    value: id,
    label: enabled ? rule.name : t('{name} · switched off', { name: rule.name }),
  }));
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
      data={value === '' || isListed || chosenName === undefined ? options : [{ value, label: chosenName }, ...options]}
      filter={({ options: all }) => all}
      nothingFoundMessage={list.isPending ? t('Searching…') : t('No policy fits.')}
      onSearchChange={setTyped}
      onChange={(next) => onChange(next ?? '')}
      maxDropdownHeight={280}
    />
  );
}
