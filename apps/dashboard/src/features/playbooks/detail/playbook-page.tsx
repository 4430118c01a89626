import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { Person } from '../../../components/person.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { polling } from '../../../lib/query-policy.ts';
import { defined } from '../../../lib/search-params.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { PanelTabs } from '../../../ui/panel-tabs.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { VersionBadge } from '../definition/version-badge.tsx';
import classes from './detail.module.css';
import { OverviewPanel } from './overview-panel.tsx';
import { PlaybookActions } from './playbook-actions.tsx';
import { type PlaybookPanel, playbookPanels } from './playbook-search.ts';

const route = getRouteApi('/_dashboard/playbooks/$id/');

const labels: Readonly<Record<PlaybookPanel, string>> = {
  overview: t('Overview'),
  definition: t('Definition'),
  versions: t('Versions'),
  runs: t('Runs'),
  'used-by': t('Used by'),
};

const panels: Readonly<Record<PlaybookPanel, ComponentType<{ id: string }>>> = {
  overview: OverviewPanel,
  definition: lazy(() => import('./definition-panel.tsx').then((module) => ({ default: module.DefinitionPanel }))),
  versions: lazy(() => import('./versions-panel.tsx').then((module) => ({ default: module.VersionsPanel }))),
  runs: lazy(() => import('./runs-panel.tsx').then((module) => ({ default: module.RunsPanel }))),
  'used-by': lazy(() => import('./used-by-panel.tsx').then((module) => ({ default: module.UsedByPanel }))),
};

/** One playbook: what it does, how its runs went, how it came to be, and what starts it. */
export function PlaybookPage() {
  const id = route.useParams().id.toLowerCase();
  const { panel: current = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: playbook } = useSuspenseQuery({
    ...playbookQueries.detail(useTenantApi(), useQueryClient(), id),
    // The definition stays fresh for long; how the last runs went does not.
    refetchInterval: polling.playbookFiguresMs,
    refetchOnMount: 'always',
  });
  const { metadata } = playbook;
  const Part = panels[current];
  return (
    <>
      <PageHeader
        eyebrow={
          <Link to="/playbooks" className={classes.up}>
            {t('Playbooks')}
          </Link>
        }
        title={metadata.name}
        state={<VersionBadge playbook={playbook} />}
        purpose={
          <span className={classes.line}>
            {metadata.author === '' ? null : (
              <span>{tx('by {person}', { person: <Person username={metadata.author} /> })}</span>
            )}
            <span>
              {metadata.updated_by === ''
                ? tx('changed {time}', { time: <RelativeTime time={playbook.updated_at} /> })
                : tx('changed {time} by {person}', {
                    time: <RelativeTime time={playbook.updated_at} />,
                    person: <Person username={metadata.updated_by} />,
                  })}
            </span>
          </span>
        }
        actions={<PlaybookActions playbook={playbook} />}
      />
      <PanelTabs
        label={t('Parts of the playbook')}
        menuLabel={t('Part of the playbook')}
        panels={playbookPanels}
        labels={labels}
        current={current}
        link={(panel, props) => (
          // Exact, or the overview, which needs no parameter, would count as open beside every other part.
          <Link
            to="/playbooks/$id"
            params={{ id }}
            search={searchOf(panel)}
            activeOptions={{ exact: true, explicitUndefined: true }}
            {...props}
          />
        )}
        onChoose={(panel) => void navigate({ search: searchOf(panel) })}
      />
      <Suspense
        fallback={
          <Loading label={t('Loading {name}', { name: labels[current].toLowerCase() })}>
            <TextSkeleton lines={6} />
          </Loading>
        }
      >
        <Part key={id} id={id} />
      </Suspense>
    </>
  );
}

function searchOf(panel: PlaybookPanel) {
  return defined({ panel: panel === 'overview' ? undefined : panel });
}
