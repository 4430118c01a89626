import { t } from '../../../language/translate.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';

/** The builder while its draft is loaded. */
export function BuilderSkeleton() {
  return (
    <>
      <PageHeader title={t('Playbook builder')} />
      <Loading waited label={t('Loading the draft')}>
        <TextSkeleton lines={12} />
      </Loading>
    </>
  );
}
