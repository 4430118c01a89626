import type { Policy } from '@airdeck/contracts/policies/schema';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './editor.module.css';

/** The rule a policy was imported from, letter by letter. */
export function SourceTextDialog({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const text = useQuery(policyQueries.sourceText(useTenantApi(), policy.id));
  return (
    <Dialog title={t('Rule as it was imported')} size={760} closeLabel={t('Close')} onClose={onClose}>
      {text.data !== undefined ? (
        <Stack gap="xs">
          <span className={classes.help}>
            {text.data.file} <CopyButton value={text.data.text} label={t('Copy the rule')} />
          </span>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className={classes.sourceText} aria-label={t('Text of the rule')} tabIndex={0}>
            {text.data.text}
          </section>
        </Stack>
      ) : text.isError ? (
        <ErrorState error={text.error} onRetry={() => void text.refetch()} retrying={text.isFetching} />
      ) : (
        <Loading label={t('Loading the rule')}>
          <TextSkeleton lines={10} />
        </Loading>
      )}
    </Dialog>
  );
}
