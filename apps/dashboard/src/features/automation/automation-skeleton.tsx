import { t } from '../../language/translate.ts';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';

/** While one automation loads. */
export function AutomationSkeleton() {
  return (
    <Loading waited label={t('Loading the automation')}>
      <TableSkeleton rows={8} />
    </Loading>
  );
}
