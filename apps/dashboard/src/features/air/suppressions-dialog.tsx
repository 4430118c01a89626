import { Group, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { personName } from '../../components/person-name.ts';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { caseMutations, caseSettingQueries } from '../../queries/cases.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './bulk.module.css';
import { GroupValues } from './group-values.tsx';

/** What opens no case for now because somebody called it a false positive, and ending that. */
export function SuppressionsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Suppressed groups')} size={640} closeLabel={t('Close')} onClose={onClose}>
      <Text size="sm" c="dimmed" mb="md">
        {t('False positives that were suppressed: the policy opens no case for these values until the time is over.')}
      </Text>
      <Suppressions />
    </Dialog>
  );
}

function Suppressions() {
  const tenantApi = useTenantApi();
  const { reason } = useAccess('airWork');
  const { user } = useCurrentUser();
  const reader = useReader();
  const running = useInfiniteQuery(caseSettingQueries.suppressions(tenantApi));
  const end = useMutation(caseMutations.endSuppression(tenantApi, useQueryClient()));
  if (running.isError && running.data === undefined) {
    return <ErrorState error={running.error} onRetry={() => void running.refetch()} retrying={running.isFetching} />;
  }
  if (running.data === undefined) {
    return (
      <Loading label={t('Loading suppressed groups')}>
        <TextSkeleton lines={3} />
      </Loading>
    );
  }
  const suppressions = running.data.pages.flatMap((page) => page.suppressions);
  if (suppressions.length === 0)
    return <Text size="sm">{t('Nothing is suppressed. Every match can open a case.')}</Text>;
  const until = dateFormat(reader, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <>
      <ul className={classes.suppressions}>
        {suppressions.map((each) => (
          <li key={each.id}>
            <div>
              <div className={classes.suppressed}>{each.policy_name}</div>
              <GroupValues values={each.group} />
              <div className={classes.facts}>
                {tx('until {time} · {person} in {link}', {
                  time: until.format(new Date(each.until)),
                  person: personName(each.created_by, user),
                  link: (
                    <Link to="/air/case-management/$id" params={{ id: each.case_id }}>
                      {each.case_reference}
                    </Link>
                  ),
                })}
              </div>
            </div>
            <GuardedButton
              variant="default"
              reason={reason}
              loading={end.isPending && end.variables === each.id}
              onClick={() => end.mutate(each.id)}
              aria-label={t('End the suppression of {case_reference}', { case_reference: each.case_reference })}
            >
              {t('End now')}
            </GuardedButton>
          </li>
        ))}
      </ul>
      {running.hasNextPage ? (
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed" role="status">
            {plural(suppressions.length, '{count} group, later ones not shown', '{count} groups, later ones not shown')}
          </Text>
          <MoreButton list={running}>
            {running.isFetchNextPageError ? t('More could not be loaded. Try again') : t('Load more')}
          </MoreButton>
        </Group>
      ) : null}
    </>
  );
}
