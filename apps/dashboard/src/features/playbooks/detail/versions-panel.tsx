import type { PlaybookVersion } from '@airdeck/contracts/playbooks/schema';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Person } from '../../../components/person.tsx';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { comparedVersions } from './compared-versions.ts';
import classes from './detail.module.css';
import { RollBackDialog } from './roll-back-dialog.tsx';

const VersionDiff = lazy(() => import('./version-diff.tsx').then((module) => ({ default: module.VersionDiff })));

const route = getRouteApi('/_dashboard/playbooks/$id/');

/** Every published version, what changed between two of them, and the way back to one. */
export function VersionsPanel({ id }: { id: string }) {
  const versions = useQuery(playbookQueries.versions(useTenantApi(), id));
  if (versions.data === undefined) {
    return (
      <Panel>
        {versions.isError ? (
          <ErrorState error={versions.error} onRetry={() => void versions.refetch()} retrying={versions.isFetching} />
        ) : (
          <Loading label={t('Loading versions')}>
            <TextSkeleton lines={6} />
          </Loading>
        )}
      </Panel>
    );
  }
  return <Versions id={id} versions={versions.data} />;
}

function Versions({ id, versions }: { id: string; versions: readonly PlaybookVersion[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: playbook } = useSuspenseQuery(playbookQueries.detail(useTenantApi(), useQueryClient(), id));
  const [back, setBack] = useState<PlaybookVersion>();
  const compared = comparedVersions(versions, search);
  if (versions.length === 0) {
    return (
      <Panel>
        <EmptyState title={t('It was never published')}>
          {t('Each time it is published in the builder, a version is kept.')}
        </EmptyState>
      </Panel>
    );
  }
  const compare = (from: number, to: number) =>
    void navigate({ search: (before) => ({ ...before, from, to }), replace: true });
  return (
    <div className={classes.stack}>
      <Panel title={t('Versions')} flush>
        <ul className={classes.versions}>
          {versions.map((version, index) => (
            <VersionRow
              key={version.version}
              version={version}
              isCurrent={version.version === playbook.version}
              before={versions[index + 1]}
              onCompare={compare}
              onBack={setBack}
            />
          ))}
        </ul>
        {versions.at(-1)?.version === 1 ? null : (
          <p className={classes.older}>{t('Older versions are kept and not listed here.')}</p>
        )}
      </Panel>
      {compared === undefined ? null : (
        <Suspense
          fallback={
            <Loading label={t('Loading the comparison')}>
              <TextSkeleton lines={8} />
            </Loading>
          }
        >
          <VersionDiff versions={versions} from={compared.from} to={compared.to} onChoose={compare} />
        </Suspense>
      )}
      {back === undefined ? null : (
        <RollBackDialog playbook={playbook} version={back} onClose={() => setBack(undefined)} />
      )}
    </div>
  );
}

type RowProps = {
  version: PlaybookVersion;
  isCurrent: boolean;
  /** The one published before it. */
  before: PlaybookVersion | undefined;
  onCompare: (from: number, to: number) => void;
  onBack: (version: PlaybookVersion) => void;
};

function VersionRow({ version, isCurrent, before, onCompare, onBack }: RowProps) {
  const number = version.version;
  return (
    <li className={classes.versionRow}>
      <span className={classes.versionNumber}>v{number}</span>
      <span className={classes.versionWords}>
        <span className={version.note === '' ? classes.faint : undefined}>
          {version.note === '' ? t('No note') : version.note}
        </span>
        <span className={classes.faint}>
          <Person username={version.published_by} /> · <RelativeTime time={version.published_at} />
        </span>
      </span>
      <span className={classes.versionButtons}>
        {isCurrent ? <span className={classes.current}>{t('Runs now')}</span> : null}
        {before === undefined ? null : (
          <Button
            variant="default"
            size="xs"
            aria-label={t('What changed in version {number}', { number })}
            onClick={() => onCompare(before.version, number)}
          >
            {t('What changed')}
          </Button>
        )}
        {isCurrent ? null : (
          <Button
            variant="default"
            size="xs"
            aria-label={t('Roll back to version {number}', { number })}
            aria-haspopup="dialog"
            onClick={() => onBack(version)}
          >
            {t('Roll back')}
          </Button>
        )}
      </span>
    </li>
  );
}
