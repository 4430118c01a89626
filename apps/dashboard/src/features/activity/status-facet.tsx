import type { RunStatus } from '@airdeck/contracts/statuses';
import { runStatusLooks } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';
import type { Facet } from '../../ui/facet-menu.tsx';

/** Filter by state, with the look the states have everywhere. */
export function statusFacet(offered: readonly RunStatus[], selected: readonly RunStatus[] = []): Facet {
  return {
    id: 'status',
    label: t('Status'),
    selected,
    options: offered.map((value) => {
      const { word, color, icon: Icon } = runStatusLooks[value];
      return { value, label: word, icon: <Icon size={14} color={color} aria-hidden /> };
    }),
  };
}
