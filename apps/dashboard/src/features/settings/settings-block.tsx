import { Button, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { failureText } from '../../components/failure-text.ts';
import { t } from '../../language/translate.ts';
import { failedQuery, loadFailureTitle } from '../../lib/load-failures.ts';
import { IdentityError } from '../../session/identity-provider.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './settings.module.css';

type Props<T> = {
  title: string;
  query: UseQueryResult<T>;
  aside?: ReactNode;
  /** Lines of the placeholder. */
  lines?: number;
  children: (data: T) => ReactNode;
};

/** One part of a settings screen: loads, fails and is tried again on its own; absent where the provider has none. */
export function SettingsBlock<T>({ title, query, aside, lines = 3, children }: Props<T>) {
  if (query.error instanceof IdentityError && query.error.code === 'NOT_SUPPORTED') return null;
  if (query.data !== undefined) {
    return (
      <Panel title={title} aside={aside} flush>
        {children(query.data)}
      </Panel>
    );
  }
  return (
    <Panel title={title}>
      {query.isError ? (
        <BlockFailure error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : (
        <Loading label={t('Loading {title}', { title: title.toLowerCase() })}>
          <TextSkeleton lines={lines} />
        </Loading>
      )}
    </Panel>
  );
}

type FailureProps = { error: Error; onRetry: () => void; retrying: boolean };

function BlockFailure({ error, onRetry, retrying }: FailureProps) {
  const name = failedQuery(error);
  if (!(error instanceof IdentityError) || name === undefined) {
    return <ErrorState error={error} onRetry={onRetry} retrying={retrying} />;
  }
  return (
    <div className={classes.failure} role="alert">
      <Text size="sm" fw={600}>
        {loadFailureTitle(name)}
      </Text>
      <Text size="sm" c="dimmed">
        {failureText(error)}
      </Text>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onRetry} loading={retrying}>
        {t('Try again')}
      </Button>
    </div>
  );
}
