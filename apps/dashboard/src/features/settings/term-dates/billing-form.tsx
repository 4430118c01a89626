import { ApiError } from '@airdeck/api-client/api-error';
import type { Billing } from '@airdeck/contracts/contract/schema';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useRebasedForm } from '../../../lib/use-rebased-form.ts';
import { contractMutations, contractQueries } from '../../../queries/contract.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settings from '../settings.module.css';
import {
  type BillingProblems,
  billingFields,
  billingProblemsOf,
  billingTextsOf,
  billingWords,
  isSameBilling,
  refusedBilling,
} from './billing-fields.ts';
import classes from './term-dates.module.css';

/** Where bills go and whom to ask about them. */
export function BillingForm({ billing }: { billing: Billing }) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const save = useMutation(contractMutations.setBilling(tenantApi, queryClient));
  const form = useRebasedForm({
    current: billing,
    fieldsOf: billingTextsOf,
    wordsOf: billingWords,
    read: () => queryClient.fetchQuery({ ...contractQueries.billing(tenantApi), staleTime: 0 }),
    save,
  });
  const { base, fields } = form;
  const [found, setFound] = useState<BillingProblems>({});
  const refusal = useRefusal(save.error);
  const formId = useId();
  const dirty = !isSameBilling(base, fields);
  const refused = refusedBilling(save.error instanceof ApiError ? save.error.details : []);
  const problems = { ...refused, ...found };

  const touch = () => {
    setFound({});
    if (save.isError) save.reset();
  };
  const discard = () => {
    form.discard();
    touch();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = billingProblemsOf(fields);
    setFound(next);
    if (Object.keys(next).length > 0) return refusal.refuse();
    if (!dirty || save.isPending) return;
    save.mutate(
      { ...fields, replaces: billingTextsOf(base) },
      {
        onSuccess: (saved) => {
          form.settle(fields, saved);
          showDone(t('Billing information saved'));
        },
      },
    );
  };
  return (
    <form ref={refusal.form} id={formId} onSubmit={submit} noValidate className={classes.billing}>
      {Object.keys(refused).length === 0 ? <ProblemNote error={save.error} /> : null}
      <LoadAgain error={save.error} reload={form.reload} theirs={form.theirs} />
      <div className={settings.fields}>
        {billingFields.map(({ name, label, autoComplete }) => (
          <TextInput
            key={name}
            label={label}
            autoComplete={`billing ${autoComplete}`}
            maxLength={200}
            value={fields[name]}
            error={problems[name]}
            onChange={(event) => {
              form.edit({ [name]: event.currentTarget.value });
              touch();
            }}
          />
        ))}
      </div>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} />
    </form>
  );
}
