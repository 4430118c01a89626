import { t } from '../../language/translate.ts';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';

/** While one automation loads. */
export function RuleSkeleton() {
  return (
    <Loading label={t('Loading the automation')}>
      <TableSkeleton rows={8} />
    </Loading>
  );
}
