import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './list.module.css';

/** What starts by itself when the policy opens a case. */
export function PolicyResponses({ policyId }: { policyId: string }) {
  const responses = useQuery(policyQueries.responses(useTenantApi(), policyId));
  if (responses.data === undefined) {
    return responses.isError ? (
      <ErrorState error={responses.error} onRetry={() => void responses.refetch()} retrying={responses.isFetching} />
    ) : (
      <Loading label={t('Loading responses')}>
        <TextSkeleton lines={2} />
      </Loading>
    );
  }
  if (responses.data.responses.length === 0) return <p className={classes.words}>{t('Nothing starts by itself.')}</p>;
  return (
    <ul className={classes.rows}>
      {responses.data.responses.map((response) => (
        <li key={response.response_name} className={classes.row}>
          <span className={classes.rowName}>{response.response_name}</span>
          <span className={classes.faint}>{startsWords(response)}</span>
          {response.enabled ? null : <span className={classes.faint}>{t('Off##automation')}</span>}
        </li>
      ))}
    </ul>
  );
}

function startsWords({ response_type, definition_name, definition_id }: RuleResponse): string {
  return `${response_type === 'playbook' ? t('Playbook') : t('Action')} ${definition_name ?? (response_type === 'action' ? definition_id : t('that is gone'))}`;
}
