import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { defined, filtersOf } from '../../../lib/search-params.ts';
import { caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CaseView } from './case-view.tsx';

const route = getRouteApi('/_dashboard/air/case-management/$id');

/** A case on its own page. */
export function CasePage() {
  const id = route.useParams().id.toLowerCase();
  const { filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery(caseQueries.detail(useTenantApi(), id));
  return (
    <CaseView
      // Another case begins with an empty comment and nothing unfolded.
      key={id}
      of={data}
      variant="page"
      kinds={filters?.kind}
      onKinds={(kind) =>
        void navigate({
          search: (before) => defined({ ...before, filters: filtersOf({ kind }) }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
