import { Button, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import classes from '../../components/entry/entry.module.css';
import { t } from '../../language/translate.ts';
import { outboxQuery } from '../../queries/outbox.ts';
import { useApp } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { LinkedText } from './linked-text.tsx';
import outbox from './outbox.module.css';

/** Mails that were not sent because this installation has no mail server; stage `local` only. */
export function OutboxPage() {
  const { api } = useApp();
  const mails = useQuery(outboxQuery(api));
  return (
    <main className={outbox.page}>
      <PageHeader
        title={t('Outbox')}
        purpose={t(
          'This installation has no mail server. What it would have sent is here, for everybody at this machine.',
        )}
        actions={
          <Button variant="default" loading={mails.isFetching} onClick={() => void mails.refetch()}>
            {t('Refresh')}
          </Button>
        }
      />
      {mails.data === undefined ? (
        mails.isError ? (
          <ErrorState error={mails.error} onRetry={() => void mails.refetch()} retrying={mails.isFetching} />
        ) : (
          <LateSkeleton height={160} />
        )
      ) : null}
      {mails.data?.length === 0 ? (
        <EmptyState title={t('No mail yet')}>
          {t('Mails appear here when somebody is invited or forgets a password.')}
        </EmptyState>
      ) : null}
      {mails.data?.map((mail) => (
        // Not named: many mails have the same subject, and as many regions of one name help nobody.
        <Panel key={mail.id}>
          <Group justify="space-between" wrap="nowrap" mb="xs">
            <Title order={2} size="h5">
              {mail.subject}
            </Title>
            <span className={outbox.when}>
              <RelativeTime time={mail.created_at} />
            </span>
          </Group>
          <div className={outbox.to}>{t('To {to}', { to: mail.to })}</div>
          <LinkedText text={mail.text} />
        </Panel>
      ))}
      <div className={classes.foot}>
        <Link to="/login" preload={false}>
          {t('Go to sign-in')}
        </Link>
      </div>
    </main>
  );
}
