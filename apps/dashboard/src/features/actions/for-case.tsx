import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import classes from './actions.module.css';

/** Says which case an action is run for, with the way back to it. */
export function ForCase({ id }: { id: string }) {
  const found = useQuery(caseQueries.detail(useTenantApi(), id));
  return (
    <p className={classes.words}>
      It answers{' '}
      <Link to="/air/case-management/$id" params={{ id }}>
        {found.data === undefined ? 'a case' : `${found.data.reference} ${found.data.alert_name}`}
      </Link>
      , and shows among its responses.
    </p>
  );
}
