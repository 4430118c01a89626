import { t } from '../../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../../ui/skeletons.tsx';

export function SourcesSkeleton() {
  return (
    <Loading waited label={t('Loading event sources')}>
      <HeaderSkeleton />
      <TableSkeleton rows={6} />
    </Loading>
  );
}
