import { ApiError } from '@airdeck/api-client/api-error';
import type { Contract } from '@airdeck/contracts/contract/schema';
import { dateFormats } from '@airdeck/domain/display-time';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LoadAgain } from '../../../components/load-again.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useRebasedForm } from '../../../lib/use-rebased-form.ts';
import { contractMutations, contractQueries } from '../../../queries/contract.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useReader } from '../../../ui/reader.ts';
import { useRefusal } from '../../../ui/use-refusal.ts';
import { readTerms, type TermFields, type TermProblems, termFieldsOf, termsOf, termWords } from './term-fields.ts';

type Props = { contract: Contract | undefined; onClose: () => void };

/** Dates are typed as the reader's locale writes them. */
export function TermsDialog({ contract, onClose }: Props) {
  const { queryClient } = useApp();
  const { locale } = useReader();
  const tenantApi = useTenantApi();
  const [found, setFound] = useState<TermProblems>({});
  const save = useMutation(contractMutations.set(tenantApi, queryClient));
  const { base, fields, edit, reload, theirs } = useRebasedForm({
    current: contract,
    fieldsOf: (terms) => termFieldsOf(terms, locale),
    wordsOf: termWords,
    read: () => queryClient.fetchQuery({ ...contractQueries.terms(tenantApi), staleTime: 0 }),
    save,
  });
  const { form, refuse } = useRefusal(save.error);
  const refused = refusedFields(save.error);
  const problems = { ...refused, ...found };
  const format = dateFormats[locale];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readTerms(fields, locale);
    setFound(read.problems ?? {});
    if (read.body === undefined) return refuse();
    if (save.isPending) return;
    save.mutate(
      { ...read.body, replaces: termsOf(base) },
      {
        onSuccess: () => {
          showDone(t('Term dates saved'));
          onClose();
        },
      },
    );
  };
  const field = (name: keyof TermFields) => ({
    value: fields[name],
    error: problems[name],
    autoComplete: 'off',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      edit({ [name]: value });
      setFound({});
      if (save.isError) save.reset();
    },
  });
  return (
    <Dialog title={contract === undefined ? t('Enter term dates') : t('Edit term dates')} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          {Object.keys(refused).length === 0 ? <ProblemNote error={save.error} /> : null}
          <LoadAgain error={save.error} reload={reload} theirs={theirs} />
          <Group grow align="flex-start">
            <TextInput label={t('Start')} placeholder={format} maxLength={20} data-autofocus {...field('start_date')} />
            <TextInput label={t('End')} placeholder={format} maxLength={20} {...field('end_date')} />
          </Group>
          <TextInput
            label={t('Renewal notice')}
            description={t('By when to say whether the contract goes on. Empty when nothing is agreed.')}
            placeholder={format}
            maxLength={20}
            {...field('renewal_notice_date')}
          />
          <TextInput
            label={t('Seats')}
            description={t('Members the contract covers. Empty for no limit.')}
            inputMode="numeric"
            maxLength={7}
            {...field('seats')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function refusedFields(error: unknown): TermProblems {
  const details = error instanceof ApiError ? error.details : [];
  const names = ['start_date', 'end_date', 'renewal_notice_date', 'seats'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = details.find(({ path }) => path === `body.${name}`);
      return found === undefined ? [] : [[name, found.message]];
    }),
  );
}
