import { t } from '../../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';

export function IntegrationsSkeleton() {
  return (
    <Loading waited label={t('Loading integrations')}>
      <HeaderSkeleton />
      <TableSkeleton rows={8} />
    </Loading>
  );
}

export function IntegrationSkeleton() {
  return (
    <Loading waited label={t('Loading the integration')}>
      <HeaderSkeleton />
      <TextSkeleton lines={8} />
    </Loading>
  );
}
