import type { PolicyPublications } from '@airdeck/contracts/policies/publication-schema';
import type { Policy } from '@airdeck/contracts/policies/schema';
import { Button, Group, Progress, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { wasCancelled } from '../../../components/confirmation/cancelled.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { policyQueries, refreshPublications } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { CustomerChoice } from './customer-choice.tsx';
import { chosenAtFirst } from './customer-state.ts';
import classes from './publish.module.css';
import { PublishOutcome } from './publish-outcome.tsx';
import { type PublishedTo, runPublish } from './publish-run.ts';

type Props = {
  policy: Policy;
  /** Something is typed that is not saved, and so not published. */
  dirty?: boolean;
  onClose: () => void;
};

/** Gives customers a copy of a policy, or renews the copies they have; says customer by customer what came of it. */
export function PublishDialog({ policy, dirty = false, onClose }: Props) {
  const customers = useQuery(policyQueries.publications(useTenantApi(), policy.id));
  return (
    <Dialog
      title={t('Publish {name}', { name: policy.rule.name })}
      size={640}
      closeLabel={t('Close')}
      onClose={onClose}
    >
      {customers.data !== undefined ? (
        // What is chosen at first is of the answer that was there first.
        <Publishing key={policy.id} {...{ policy, dirty, onClose }} customers={customers.data} />
      ) : customers.isError ? (
        <ErrorState error={customers.error} onRetry={() => void customers.refetch()} retrying={customers.isFetching} />
      ) : (
        <Loading label={t('Loading customers')}>
          <TextSkeleton lines={6} />
        </Loading>
      )}
    </Dialog>
  );
}

type PublishingProps = Required<Props> & { customers: PolicyPublications };

function Publishing({ policy, dirty, customers: { tenants, total }, onClose }: PublishingProps) {
  const [chosen, setChosen] = useState(() => chosenAtFirst(tenants));
  const [enabled, setEnabled] = useState(false);
  const { run, done, wanted } = usePublish(policy.id);
  const wasLeft = wasCancelled(run.error);
  // A question that was left before anything was published leaves the choice as it was.
  const ended = !run.isIdle && !run.isPending && !(wasLeft && done.length === 0);
  const names = new Map(tenants.map(({ tenant, name }) => [tenant, name]));
  if (total === 0) {
    return (
      <Stack gap="md">
        <p className={classes.words}>
          {t(
            'You work in no customer of this provider yet. Customers are made in the tenant settings, under Customers.',
          )}
        </p>
        <Actions cancel={t('Close')} onCancel={onClose} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <p className={classes.words}>
        {t(
          'Each customer gets a copy of version {version}. Publishing again renews the copies, except where a customer changed the rule. Whether its copy is on is up to the customer.',
          { version: policy.version },
        )}
        {dirty ? t(' What you have not saved is not in it.') : ''}
      </p>
      {ended ? null : (
        <fieldset className={classes.choice} disabled={run.isPending}>
          <CustomerChoice customers={tenants} chosen={chosen} onChange={setChosen} />
          {total > tenants.length ? (
            <p className={classes.hint}>
              {t('The first {shown} of {total} customers, by name.', { shown: tenants.length, total })}
            </p>
          ) : null}
          <Switch
            label={t('Switch new copies on')}
            description={t('Copies that are there already stay on or off.')}
            checked={enabled}
            onChange={(event) => setEnabled(event.currentTarget.checked)}
          />
        </fieldset>
      )}
      {run.isPending ? (
        <div>
          <Progress value={(done.length / wanted) * 100} aria-label={t('Customers done')} />
          <p className={classes.hint} role="status">
            {plural(wanted, '{done} of {count} customer', '{done} of {count} customers', { done: done.length })}
          </p>
        </div>
      ) : null}
      <ProblemNote error={wasLeft ? null : run.error} />
      {ended ? <PublishOutcome done={done} names={names} left={wanted - done.length} /> : null}
      <Actions cancel={ended ? t('Done') : run.isPending ? t('Stop') : t('Cancel')} onCancel={onClose}>
        {ended ? null : (
          <Button
            loading={run.isPending}
            disabled={chosen.size === 0}
            onClick={() => run.mutate({ tenants: [...chosen], enabled })}
          >
            {publishWords(chosen.size)}
          </Button>
        )}
      </Actions>
    </Stack>
  );
}

function publishWords(count: number): string {
  if (count === 0) return t('Publish');
  return plural(count, 'Publish to {count} customer', 'Publish to {count} customers');
}

type ActionsProps = { cancel: string; onCancel: () => void; children?: ReactNode };

function Actions({ cancel, onCancel, children }: ActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      {children}
    </Group>
  );
}

/** Closing the dialog sends no further portion. */
function usePublish(id: string) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<readonly PublishedTo[]>([]);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const run = useMutation({
    meta: { failure: 'inline' },
    mutationFn: (choice: { tenants: readonly string[]; enabled: boolean }) => {
      setDone([]);
      stop.current = new AbortController();
      return runPublish(tenantApi, { id, ...choice, signal: stop.current.signal, onProgress: setDone });
    },
    // Also after a failure: the portions before it are published.
    onSettled: () => refreshPublications(queryClient, tenantApi.tenantId, id),
  });
  return { run, done, wanted: run.variables?.tenants.length ?? 0 };
}
