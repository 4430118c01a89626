import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { FormDialog } from '../../../components/form-dialog.tsx';
import { t, told } from '../../../language/translate.ts';
import { showDone, showError, toasts } from '../../../lib/toasts.ts';
import { caseMutations } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { RunPlaybookForm } from '../run-playbook-form.tsx';

/** Starts a playbook for this case; the run shows among its responses and in its story. */
export function RunPlaybookDialog({ of, onClose }: { of: CaseDetail; onClose: () => void }) {
  const bulk = useMutation(caseMutations.bulk(useTenantApi(), useQueryClient(), useCallIntent()));
  const [typed, setTyped] = useState(false);
  return (
    <FormDialog
      title={t('Run a playbook for {reference}', { reference: of.reference })}
      size={520}
      dirty={typed}
      busy={bulk.isPending}
      onClose={onClose}
    >
      <RunPlaybookForm
        pending={bulk.isPending}
        groupNames={Object.keys(of.meta_data_fields)}
        onType={() => setTyped(true)}
        onClose={onClose}
        run={async (work, name) => {
          try {
            const { results } = await bulk.mutateAsync({ cases: [of.id], ...work });
            const refused = results.find(({ outcome }) => outcome === 'refused');
            if (refused !== undefined) {
              const { message, reason, values } = refused;
              toasts.add({
                title: t('The playbook was not started'),
                message: message === null ? t('It was refused.') : told({ message, reason, values }),
                danger: true,
              });
              return false;
            }
            showDone(t('{reference} answered with {name}', { reference: of.reference, name }));
            return true;
          } catch (error) {
            showError(error);
            return false;
          }
        }}
      />
    </FormDialog>
  );
}
