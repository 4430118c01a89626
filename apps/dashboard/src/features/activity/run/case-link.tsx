import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';

/** The case a run answers, by its reference once that is known. */
export function CaseLink({ id }: { id: string }) {
  const { data } = useQuery(caseQueries.detail(useTenantApi(), id));
  return (
    <Link to="/air/case-management/$id" params={{ id }} title={data?.alert_name}>
      {data?.reference ?? t('Open case')}
    </Link>
  );
}
