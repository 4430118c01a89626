import type { Customer } from '@airdeck/contracts/customers/schema';
import { t } from '../../../language/translate.ts';
import type { FieldWords } from '../../../lib/rebased-fields.ts';
import type { CustomerChange } from '../../../queries/customers.ts';

/** The form as it is shown; days as typed. */
export type CustomerFields = {
  name: string;
  sku_name: string;
  is_search_enabled: boolean;
  is_mdr_enabled: boolean;
  retention: string;
  search: string;
};

export type CustomerProblems = Partial<
  Record<'name' | 'sku_name' | 'retention' | 'search' | 'email' | 'fullname', string>
>;

const DAYS_MAX = 3650;

export function customerFieldsOf(customer: Customer | undefined): CustomerFields {
  const plan = customer?.sku_info;
  return {
    name: customer?.name ?? '',
    sku_name: plan?.sku_name ?? '',
    is_search_enabled: plan?.is_search_enabled ?? true,
    is_mdr_enabled: plan?.is_mdr_enabled ?? false,
    retention: String(plan?.retention_length_days ?? 90),
    search: String(plan?.search_length_days ?? 30),
  };
}

export function customerWords(fields: CustomerFields): FieldWords {
  return {
    [t('Name')]: fields.name,
    [t('Plan')]: fields.sku_name,
    [t('Search')]: fields.is_search_enabled ? t('On') : t('Off'),
    [t('Managed detection and response')]: fields.is_mdr_enabled ? t('On') : t('Off'),
    [t('Days events are kept')]: fields.retention,
    [t('Days that can be searched')]: fields.search,
  };
}

export function planOf(fields: CustomerFields): NonNullable<CustomerChange['sku_info']> {
  return {
    sku_name: fields.sku_name.trim(),
    is_search_enabled: fields.is_search_enabled,
    is_mdr_enabled: fields.is_mdr_enabled,
    retention_length_days: Number(fields.retention),
    search_length_days: Number(fields.search),
  };
}

/** What was changed; the plan goes whole, with the one it was made from. */
export function customerChangeOf(before: Customer, fields: CustomerFields): CustomerChange {
  const name = fields.name.trim();
  const plan = planOf(fields);
  const isSamePlan = JSON.stringify(plan) === JSON.stringify(planOf(customerFieldsOf(before)));
  return {
    ...(name === before.name ? {} : { name }),
    ...(isSamePlan ? {} : { sku_info: plan, replaces: before.sku_info }),
  };
}

export function customerProblemsOf(fields: CustomerFields): CustomerProblems {
  const [retention, search] = [daysProblem(fields.retention), daysProblem(fields.search)];
  const longer =
    retention === undefined && search === undefined && Number(fields.search) > Number(fields.retention)
      ? t('Cannot be longer than events are kept.')
      : undefined;
  return {
    ...(fields.name.trim() === '' ? { name: t('Enter a name.') } : {}),
    ...(fields.sku_name.trim() === '' ? { sku_name: t('Enter the name of the plan.') } : {}),
    ...(retention === undefined ? {} : { retention }),
    ...((search ?? longer) === undefined ? {} : { search: search ?? longer ?? '' }),
  };
}

function daysProblem(text: string): string | undefined {
  const days = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= DAYS_MAX ? undefined : t('A whole number of days, 1 to {DAYS_MAX}.', { DAYS_MAX });
}
