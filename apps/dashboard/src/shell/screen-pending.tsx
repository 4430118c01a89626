import { t } from '../language/translate.ts';
import { HeaderSkeleton, Loading, TableSkeleton } from '../ui/skeletons.tsx';

/** Placeholder of screens that bring none of their own shape. */
export function ScreenPending() {
  return (
    <Loading label={t('Loading')}>
      <HeaderSkeleton />
      <TableSkeleton />
    </Loading>
  );
}
