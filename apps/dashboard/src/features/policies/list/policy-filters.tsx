import type { PolicyList, PolicyOriginKind } from '@airdeck/contracts/policies/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { StartTimeFilter } from '../../../components/start-time/start-time-filter.tsx';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { filtersOf } from '../../../lib/search-params.ts';
import type { Facet } from '../../../ui/facet-menu.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { isFiltered, noFilters, type PoliciesChange, type PoliciesSearch } from '../policies-search.ts';
import { originWords } from './policy-words.ts';

type Props = {
  facets: PolicyList['facets'] | undefined;
  search: PoliciesSearch;
  onChange: (part: PoliciesChange) => void;
};

/** Search, and facets with counts from the answer. */
export function PolicyFilters({ facets, search, onChange }: Props) {
  return (
    <FilterBar
      q={search.q}
      searchLabel={t('Search policies')}
      onSearch={(q) => onChange({ q })}
      facets={policyFacets(facets, search.filters ?? {})}
      onFacet={(id, selected) =>
        onChange({ filters: filtersOf({ ...search.filters, [id]: selected }) as PoliciesSearch['filters'] })
      }
      filtered={isFiltered(search)}
      onClear={() => onChange(noFilters)}
    >
      <StartTimeFilter
        label={t('Last case')}
        anyTime={t('Last case')}
        startTime={search.startTime}
        onChange={(startTime) => onChange({ startTime })}
      />
    </FilterBar>
  );
}

type Filters = NonNullable<PoliciesSearch['filters']>;
type Counts = readonly { value: string; count: number }[];

/** Words of the address, by words of the answer. */
const states = { true: 'enabled', false: 'disabled' } as const;
const stateWords: Readonly<Record<string, string>> = { enabled: t('On##policy'), disabled: t('Off##policy') };

function policyFacets(counts: PolicyList['facets'] | undefined, filters: Filters): Facet[] {
  const enabled = counts?.enabled.map(({ value, count }) => ({
    value: value === 'true' ? states.true : states.false,
    count,
  }));
  return [
    facet(
      'status',
      t('State'),
      withChosen(enabled, filters.status),
      filters.status,
      (value) => stateWords[value] ?? value,
    ),
    {
      id: 'severity',
      label: t('Severity'),
      selected: filters.severity ?? [],
      options: withChosen(counts?.severity, filters.severity).map((each) => {
        const look = severityLooks[each.value as CaseSeverity];
        const Icon = look.icon;
        return { ...each, label: look.word, icon: <Icon size={14} color={look.color} aria-hidden /> };
      }),
    },
    facet(
      'source',
      t('Source'),
      withChosen(counts?.source, filters.source),
      filters.source,
      (value) => value || t('any source'),
    ),
    facet(
      'category',
      t('Origin'),
      withChosen(counts?.origin, filters.category),
      filters.category,
      (value) => originWords[value as PolicyOriginKind] ?? value,
    ),
  ];
}

function facet(
  id: string,
  label: string,
  counts: Counts,
  selected: readonly string[] = [],
  words: (value: string) => string,
): Facet {
  return { id, label, selected, options: counts.map((each) => ({ ...each, label: words(each.value) })) };
}

/** A chosen value no policy has any more stays in the menu, or nobody could take it away. */
function withChosen(counts: Counts = [], chosen: readonly string[] = []): Counts {
  const missing = chosen.filter((value) => !counts.some((each) => each.value === value));
  return [...counts, ...missing.map((value) => ({ value, count: 0 }))];
}
