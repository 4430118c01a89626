import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';

/** The builder while its draft is loaded. */
export function BuilderSkeleton() {
  return (
    <>
      <PageHeader title={t('Playbook builder')} />
      <Loading label={t('Loading the draft')}>
        <TextSkeleton lines={12} />
      </Loading>
    </>
  );
}
