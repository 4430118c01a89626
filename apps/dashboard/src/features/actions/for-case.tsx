import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import classes from './actions.module.css';

/** Says which case an action is run for, with the way back to it. */
export function ForCase({ id }: { id: string }) {
  const found = useQuery(caseQueries.detail(useTenantApi(), id));
  return (
    <p className={classes.words}>
      {tx('It answers {link}, and shows among its responses.', {
        link: (
          <Link to="/air/case-management/$id" params={{ id }}>
            {found.data === undefined ? t('a case') : `${found.data.reference} ${found.data.alert_name}`}
          </Link>
        ),
      })}
    </p>
  );
}
