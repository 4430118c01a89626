import type { Policy } from '@airdeck/contracts/policies/schema';
import { Button } from '@mantine/core';
import { IconCopy, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SeverityBadge } from '../../../components/status-badge.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { defined } from '../../../lib/search-params.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import parts from '../../../ui/panel-parts.module.css';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { ProviderNote } from '../publish/provider-note.tsx';
import { PublicationsSection } from '../publish/publications-section.tsx';
import { useMayPublish } from '../publish/use-may-publish.ts';
import { DroppedNote } from './dropped-note.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import classes from './list.module.css';
import { PolicyAbout } from './policy-about.tsx';
import { PolicyResponses } from './policy-responses.tsx';
import { ThrottledNote } from './throttled-note.tsx';

type Props = {
  id: string;
  opened: boolean;
  /** Of the address: cases are looked for since then. */
  startTime: string | undefined;
  onClose: () => void;
};

/** One policy beside the list: what it does, in words, and what came of it. */
export function PolicyDrawer({ id, opened, startTime, onClose }: Props) {
  const policy = useQuery(policyQueries.detail(useTenantApi(), id));
  const mayPublish = useMayPublish();
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        policy.data === undefined ? (
          t('Policy')
        ) : (
          <span className={parts.head}>
            {policy.data.rule.name}
            <SeverityBadge severity={policy.data.rule.severity} />
          </span>
        )
      }
    >
      {policy.data !== undefined ? (
        <div className={parts.sections}>
          <DrawerActions policy={policy.data} />
          <ThrottledNote until={policy.data.throttled_until} />
          <DroppedNote matches={policy.data.dropped_matches} />
          <ProviderNote published={policy.data.published} />
          <PolicyAbout policy={policy.data} />
          <section>
            <h3 className={parts.title}>{t('Cases')}</h3>
            <Cases policy={policy.data} startTime={startTime} />
          </section>
          <section>
            <h3 className={parts.title}>{t('Starts by itself')}</h3>
            <PolicyResponses policyId={id} />
          </section>
          {mayPublish ? (
            <section>
              <h3 className={parts.title}>{t('Customers')}</h3>
              <PublicationsSection policy={policy.data} />
            </section>
          ) : null}
        </div>
      ) : policy.isError ? (
        <ErrorState error={policy.error} onRetry={() => void policy.refetch()} retrying={policy.isFetching} />
      ) : (
        <Loading label={t('Loading policy')}>
          <TextSkeleton lines={10} />
        </Loading>
      )}
    </SidePanel>
  );
}

function DrawerActions({ policy }: { policy: Policy }) {
  const { allowed } = useAccess('airAutomation');
  return (
    <div className={classes.buttons}>
      <EnabledSwitch policy={policy} withWord />
      {allowed ? (
        <>
          <Button
            renderRoot={(props) => <Link to="/air/policy-management/$id/edit" params={{ id: policy.id }} {...props} />}
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            {t('Edit')}
          </Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/air/policy-management/new" search={{ copy: policy.id }} {...props} />}
            leftSection={<IconCopy size={16} aria-hidden />}
          >
            {t('Duplicate##verb')}
          </Button>
        </>
      ) : null}
    </div>
  );
}

/** The newest case, and the way to all of them. */
function Cases({ policy, startTime }: { policy: Policy; startTime: string | undefined }) {
  const { last_case } = policy;
  if (last_case === null) return <p className={classes.words}>{t('It has not opened a case yet.')}</p>;
  return (
    <p className={classes.text}>
      {tx('The last one is {reference}, {time}.', {
        reference: (
          <Link to="/air/case-management/$id" params={{ id: last_case.id }}>
            {last_case.reference}
          </Link>
        ),
        time: <RelativeTime time={last_case.time_opened} />,
      })}{' '}
      <Link to="/air/case-management" search={defined({ policy: [policy.id], startTime })}>
        {t('All its cases')}
      </Link>
    </p>
  );
}
