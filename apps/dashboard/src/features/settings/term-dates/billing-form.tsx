import { ApiError } from '@airdeck/api-client/api-error';
import type { Billing } from '@airdeck/contracts/contract/schema';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { type BillingBody, contractMutations } from '../../../queries/contract.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { SaveBar } from '../../../ui/save-bar.tsx';
import settings from '../settings.module.css';
import {
  type BillingProblems,
  billingBodyOf,
  billingFields,
  billingProblemsOf,
  isSameBilling,
  refusedBilling,
} from './billing-fields.ts';
import classes from './term-dates.module.css';

/** Where bills go and whom to ask about them. */
export function BillingForm({ billing }: { billing: Billing }) {
  const { queryClient } = useApp();
  const save = useMutation(contractMutations.setBilling(useTenantApi(), queryClient));
  const [draft, setDraft] = useState<Partial<BillingBody>>({});
  const [found, setFound] = useState<BillingProblems>({});
  const formId = useId();
  const saved = billingBodyOf(billing);
  const fields = { ...saved, ...draft };
  const dirty = !isSameBilling(saved, fields);
  const refused = refusedBilling(save.error instanceof ApiError ? save.error.details : []);
  const problems = { ...refused, ...found };

  const begin = (next: Partial<BillingBody>) => {
    setDraft(next);
    setFound({});
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = billingProblemsOf(fields);
    setFound(next);
    if (Object.keys(next).length > 0 || !dirty || save.isPending) return;
    save.mutate(fields, {
      onSuccess: () => {
        // What was typed meanwhile is the next change.
        setDraft((now) => (now === draft ? {} : now));
        showDone(t('Billing information saved'));
      },
    });
  };
  return (
    <form id={formId} onSubmit={submit} noValidate className={classes.billing}>
      {Object.keys(refused).length === 0 ? <ProblemNote error={save.error} /> : null}
      <div className={settings.fields}>
        {billingFields.map(({ name, label, autoComplete }) => (
          <TextInput
            key={name}
            label={label}
            autoComplete={`billing ${autoComplete}`}
            maxLength={200}
            value={fields[name]}
            error={problems[name]}
            onChange={(event) => begin({ ...draft, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={() => begin({})} form={formId} />
      <LeaveGuard dirty={dirty} />
    </form>
  );
}
