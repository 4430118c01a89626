import type { Customer } from '@airdeck/contracts/customers/schema';
import { Button, Group, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { useUnsaved } from '../../../components/form-panel.tsx';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { isEmailAddress } from '../../../lib/email-address.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useRebasedForm } from '../../../lib/use-rebased-form.ts';
import { customerMutations, customerQueries } from '../../../queries/customers.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import {
  type CustomerFields,
  type CustomerProblems,
  customerChangeOf,
  customerFieldsOf,
  customerProblemsOf,
  customerWords,
  planOf,
} from './customer-fields.ts';
import classes from './customers.module.css';

type Props = { customer: Customer | undefined; onUnsaved: (unsaved: boolean) => void; onClose: () => void };

const nobody = { fullname: '', email: '' };

/** A new customer with its first Admin, or name and plan of one. */
export function CustomerForm({ customer, onUnsaved, onClose }: Props) {
  const form = useCustomerForm(customer, onClose);
  const { fields, admin, problems, pending, error, edit, editAdmin, reload, theirs, submit } = form;
  useUnsaved(form.dirty, onUnsaved);
  return (
    <form ref={form.form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <ProblemNote error={error} />
        <LoadAgain error={error} reload={reload} theirs={theirs} />
        <TextInput
          label={t('Name')}
          maxLength={200}
          value={fields.name}
          error={problems.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
          data-autofocus
        />
        <PlanFields fields={fields} problems={problems} onChange={edit} />
        {customer === undefined ? (
          <>
            <Title order={3} className={classes.heading}>
              {t('First Admin')}
            </Title>
            <TextInput
              label={t('Name of the Admin')}
              autoComplete="off"
              maxLength={200}
              value={admin.fullname}
              error={problems.fullname}
              onChange={(event) => editAdmin({ fullname: event.currentTarget.value })}
            />
            <TextInput
              label={t('E-mail address')}
              type="email"
              autoComplete="off"
              description={t('Gets the invitation.')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={254}
              value={admin.email}
              error={problems.email}
              onChange={(event) => editAdmin({ email: event.currentTarget.value })}
            />
          </>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {customer === undefined ? t('Create customer') : t('Save customer')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useCustomerForm(customer: Customer | undefined, onClose: () => void) {
  const { queryClient } = useApp();
  const tenantApi = useTenantApi();
  const create = useMutation(customerMutations.create(tenantApi, queryClient, useCallIntent()));
  const update = useMutation(customerMutations.update(tenantApi, queryClient));
  const { base, fields, isTyped, edit, reload, theirs } = useRebasedForm({
    current: customer,
    fieldsOf: customerFieldsOf,
    wordsOf: customerWords,
    read: async (before) => {
      const list = await queryClient.fetchQuery({ ...customerQueries.list(tenantApi), staleTime: 0 });
      return list.find(({ id }) => id === before?.id);
    },
    save: update,
  });
  const [admin, setAdmin] = useState(nobody);
  const [problems, setProblems] = useState<CustomerProblems>({});
  const pending = create.isPending || update.isPending;
  const { form, refuse } = useRefusal();

  const touch = () => {
    setProblems({});
    if (create.isError) create.reset();
    if (update.isError) update.reset();
  };
  const done = (message: string) => {
    showDone(message);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = { ...customerProblemsOf(fields), ...(base === undefined ? adminProblemsOf(admin) : {}) };
    setProblems(found);
    if (Object.keys(found).length > 0) return refuse();
    if (pending) return;
    if (base !== undefined) {
      const body = customerChangeOf(base, fields);
      if (Object.keys(body).length === 0) return onClose();
      update.mutate({ id: base.id, body }, { onSuccess: ({ name }) => done(t('{name} saved', { name })) });
      return;
    }
    const first = { fullname: admin.fullname.trim(), email: admin.email.trim() };
    create.mutate(
      { name: fields.name.trim(), sku_info: planOf(fields), admin: first },
      { onSuccess: ({ name }) => done(t('{name} created, {email} invited', { name, email: first.email })) },
    );
  };
  return {
    ...{ form, fields, admin, problems, pending, reload, theirs, submit },
    dirty: isTyped || JSON.stringify(admin) !== JSON.stringify(nobody),
    error: create.error ?? update.error,
    edit: (part: Partial<CustomerFields>) => {
      edit(part);
      touch();
    },
    editAdmin: (part: Partial<typeof nobody>) => {
      setAdmin({ ...admin, ...part });
      touch();
    },
  };
}

function adminProblemsOf({ fullname, email }: typeof nobody): CustomerProblems {
  return {
    ...(fullname.trim() === '' ? { fullname: t('Enter a name.') } : {}),
    ...(isEmailAddress(email.trim()) ? {} : { email: t('Enter an e-mail address.') }),
  };
}

type PlanProps = {
  fields: CustomerFields;
  problems: CustomerProblems;
  onChange: (part: Partial<CustomerFields>) => void;
};

function PlanFields({ fields, problems, onChange }: PlanProps) {
  return (
    <>
      <TextInput
        label={t('Plan')}
        maxLength={100}
        value={fields.sku_name}
        error={problems.sku_name}
        onChange={(event) => onChange({ sku_name: event.currentTarget.value })}
      />
      <Switch
        label={t('Search')}
        checked={fields.is_search_enabled}
        onChange={(event) => onChange({ is_search_enabled: event.currentTarget.checked })}
      />
      <Switch
        label={t('Managed detection and response')}
        checked={fields.is_mdr_enabled}
        onChange={(event) => onChange({ is_mdr_enabled: event.currentTarget.checked })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('Days events are kept')}
          inputMode="numeric"
          maxLength={5}
          value={fields.retention}
          error={problems.retention}
          onChange={(event) => onChange({ retention: event.currentTarget.value })}
        />
        <TextInput
          label={t('Days that can be searched')}
          inputMode="numeric"
          maxLength={5}
          value={fields.search}
          error={problems.search}
          onChange={(event) => onChange({ search: event.currentTarget.value })}
        />
      </Group>
    </>
  );
}
