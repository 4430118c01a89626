import { limits } from '@airdeck/contracts/limits';
import type { Policy, PolicyVersion } from '@airdeck/contracts/policies/schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Person } from '../../../components/person.tsx';
import { t } from '../../../language/translate.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { RollBackDialog } from './roll-back-dialog.tsx';
import classes from './versions.module.css';

const VersionDiff = lazy(() => import('./version-diff.tsx').then((module) => ({ default: module.VersionDiff })));

type Props = {
  policy: Policy;
  /** Whether something is typed that a roll back would drop. */
  dirty: boolean;
  onRolledBack: (policy: Policy) => void;
};

/** Every version of a policy, what changed with it, and the way back to it. */
export function VersionsPanel({ policy, dirty, onRolledBack }: Props) {
  const versions = useQuery(policyQueries.versions(useTenantApi(), policy.id));
  const [compared, setCompared] = useState<number>();
  const [back, setBack] = useState<PolicyVersion>();
  if (versions.data === undefined) {
    return versions.isError ? (
      <ErrorState error={versions.error} onRetry={() => void versions.refetch()} retrying={versions.isFetching} />
    ) : (
      <Loading label={t('Loading versions')}>
        <TextSkeleton lines={6} />
      </Loading>
    );
  }
  const all = versions.data;
  return (
    <>
      <ol className={classes.versions}>
        {all.map((version, index) => (
          <li key={version.version} className={classes.version}>
            <VersionRow
              version={version}
              isCurrent={version.version === policy.version}
              before={all[index + 1]}
              isCompared={compared === version.version}
              onCompare={() => setCompared(compared === version.version ? undefined : version.version)}
              onBack={() => setBack(version)}
            />
            {compared === version.version ? (
              <Suspense
                fallback={
                  <Loading label={t('Loading the comparison')}>
                    <TextSkeleton lines={4} />
                  </Loading>
                }
              >
                <VersionDiff before={all[index + 1]} version={version} />
              </Suspense>
            ) : null}
          </li>
        ))}
      </ol>
      <Older versions={all} />
      {back === undefined ? null : (
        <RollBackDialog
          policy={policy}
          version={back}
          dirty={dirty}
          onDone={onRolledBack}
          onClose={() => setBack(undefined)}
        />
      )}
    </>
  );
}

function Older({ versions }: { versions: readonly PolicyVersion[] }) {
  const oldest = versions.at(-1);
  if (oldest === undefined || oldest.version === 1) return null;
  return (
    <p className={classes.older}>
      {versions.length < limits.policyVersionsKept
        ? t('Older versions are not listed: together they are too long.')
        : t('Older versions are not kept.')}
    </p>
  );
}

const changeWords: Readonly<Record<PolicyVersion['change'], string>> = {
  created: t('Created##policy'),
  imported: t('Imported##policy'),
  published: t('Published by the provider'),
  changed: t('Changed'),
  switched_on: t('Switched on'),
  switched_off: t('Switched off'),
  rolled_back: t('Rolled back'),
};

type RowProps = {
  version: PolicyVersion;
  isCurrent: boolean;
  before: PolicyVersion | undefined;
  isCompared: boolean;
  onCompare: () => void;
  onBack: () => void;
};

function VersionRow({ version, isCurrent, before, isCompared, onCompare, onBack }: RowProps) {
  const number = version.version;
  return (
    <div className={classes.row}>
      <span className={classes.number}>v{number}</span>
      <span className={classes.words}>
        <span>
          {changeWords[version.change]}
          {version.note === '' ? null : <span className={classes.faint}>: {version.note}</span>}
        </span>
        <span className={classes.faint}>
          {version.changed_by === '' ? null : (
            <>
              <Person username={version.changed_by} /> ·{' '}
            </>
          )}
          <RelativeTime time={version.changed_at} />
        </span>
      </span>
      <span className={classes.buttons}>
        {before === undefined ? null : (
          <Button
            variant="default"
            size="compact-xs"
            aria-expanded={isCompared}
            aria-label={t('What changed in version {number}', { number })}
            onClick={onCompare}
          >
            {t('What changed')}
          </Button>
        )}
        {isCurrent ? (
          <span className={classes.current}>{t('Now')}</span>
        ) : (
          <Button
            variant="default"
            size="compact-xs"
            aria-haspopup="dialog"
            aria-label={t('Roll back to version {number}', { number })}
            onClick={onBack}
          >
            {t('Roll back')}
          </Button>
        )}
      </span>
    </div>
  );
}
