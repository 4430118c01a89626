import type { CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import { IconArrowsMaximize } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { HeaderSkeleton, Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './case.module.css';
import { CaseView } from './case-view.tsx';

type Props = { id: string; opened: boolean; onClose: () => void };

/** A case beside the list. */
export function CasePanel({ id, opened, onClose }: Props) {
  const detail = useQuery({ ...caseQueries.detail(useTenantApi(), id), enabled: opened });
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        <span className={classes.panelBar}>
          <span className="air-figures">{detail.data?.reference ?? t('Case')}</span>
          <Link to="/air/case-management/$id" params={{ id }} className={classes.fullPage}>
            <IconArrowsMaximize size={14} aria-hidden />
            {t('Open full page')}
          </Link>
        </span>
      }
    >
      {detail.data !== undefined ? (
        // Another case begins with an empty comment and its whole story.
        <PanelCase key={id} of={detail.data} />
      ) : detail.isError ? (
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} retrying={detail.isFetching} />
      ) : (
        <Loading label={t('Loading case')}>
          <HeaderSkeleton />
          <TextSkeleton lines={10} />
        </Loading>
      )}
    </SidePanel>
  );
}

function PanelCase({ of }: { of: CaseDetail }) {
  const [kinds, setKinds] = useState<CaseActivityKind[]>();
  return <CaseView of={of} variant="panel" kinds={kinds} onKinds={setKinds} />;
}
