import type { PolicyPublication } from '@airdeck/contracts/policies/publication-schema';
import { t } from '../../../language/translate.ts';

export type CustomerState = 'none' | 'behind' | 'current' | 'overridden';

export function stateOf({ copy }: Pick<PolicyPublication, 'copy'>): CustomerState {
  if (copy === null) return 'none';
  if (copy.overridden) return 'overridden';
  return copy.is_current ? 'current' : 'behind';
}

/** Why publishing would do nothing for a customer; undefined where it would. */
export function whyNot(customer: PolicyPublication): string | undefined {
  if (!customer.can_publish) return t('Your role there does not allow changing policies.');
  const state = stateOf(customer);
  if (state === 'current') return t('It has this very rule already.');
  return state === 'overridden' ? t('It changed the rule, which stays as it is.') : undefined;
}

/** Those it would do something for; renewing is what people come back for, so that is chosen at first. */
export function chosenAtFirst(customers: readonly PolicyPublication[]): ReadonlySet<string> {
  const due = customers.filter((customer) => whyNot(customer) === undefined && stateOf(customer) === 'behind');
  return new Set(due.map(({ tenant }) => tenant));
}

/** "3 up to date, 1 behind", without what there is none of. */
export function inShort(customers: readonly PolicyPublication[]): string {
  return states
    .map((state) => ({ state, count: customers.filter((customer) => stateOf(customer) === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => counted[state](count))
    .join(', ');
}

const states = ['current', 'behind', 'overridden', 'none'] as const satisfies readonly CustomerState[];

export const stateWords: Readonly<Record<CustomerState, string>> = {
  none: t('Not published'),
  behind: t('Behind'),
  current: t('Up to date'),
  overridden: t('Changed there'),
};

const counted: Readonly<Record<CustomerState, (count: number) => string>> = {
  none: (count) => t('{count} not published', { count }),
  behind: (count) => t('{count} behind', { count }),
  current: (count) => t('{count} up to date', { count }),
  overridden: (count) => t('{count} changed there', { count }),
};
