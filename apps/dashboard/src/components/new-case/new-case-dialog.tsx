import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { caseMutations } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { useRefusal } from '../../ui/use-refusal.ts';
import { useCallIntent } from '../action-run/use-call-intent.ts';
import { FormDialog } from '../form-dialog.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { severityLooks } from '../status-table.ts';

/** Values a case often concerns, by the names events use. */
const concerns = [
  { field: 'src_ip', label: t('Address') },
  { field: 'user', label: t('User') },
  { field: 'host', label: t('Host') },
] as const;

/** What a case is about, known before anybody types. */
export type GivenCase = {
  readonly name: string;
  readonly description: string;
  readonly severity: CaseSeverity;
  /** By the names events use, as the contract of cases takes them. */
  readonly values: Readonly<Record<string, string>>;
};

type Props = { given?: GivenCase; onClose: () => void };

/** Opens a case by hand, for what no policy saw. */
export function NewCaseDialog({ given, onClose }: Props) {
  const navigate = useNavigate();
  const { user } = useCurrentUser();
  const create = useMutation(caseMutations.create(useTenantApi(), useQueryClient(), useCallIntent()));
  const [name, setName] = useState(given?.name ?? '');
  const [description, setDescription] = useState(given?.description ?? '');
  const [severity, setSeverity] = useState<CaseSeverity>(given?.severity ?? 'low');
  const [values, setValues] = useState<Record<string, string>>({ ...given?.values });
  const others = Object.keys(given?.values ?? {}).filter((name) => concerns.every(({ field }) => field !== name));
  const [isMine, setIsMine] = useState(true);
  const [missing, setMissing] = useState(false);
  const { form, refuse } = useRefusal();
  const dirty =
    name !== (given?.name ?? '') ||
    description !== (given?.description ?? '') ||
    Object.entries(values).some(([field, text]) => text !== (given?.values[field] ?? ''));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      return refuse();
    }
    if (create.isPending) return;
    const filled = Object.entries(values).map(([field, text]) => [field, text.trim()] as const);
    create.mutate(
      {
        alert_name: name.trim(),
        alert_description: description.trim(),
        alert_severity: severity,
        meta_data_fields: Object.fromEntries(filled.filter(([, text]) => text !== '')),
        assignee: isMine ? user.uname : null,
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          // Nothing is unsaved any more, which the guard has not been told yet.
          void navigate({ to: '/air/case-management/$id', params: { id }, ignoreBlocker: true });
        },
      },
    );
  };

  return (
    <FormDialog title={t('New case')} size={520} dirty={dirty} busy={create.isPending} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={create.error} />
          <TextInput
            label={t('What is it about?')}
            required
            maxLength={200}
            data-autofocus
            value={name}
            error={missing ? t('Say in a few words what the case is about.') : undefined}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setMissing(false);
            }}
          />
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            maxRows={10}
            maxLength={10_000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('Severity')}
            value={severity}
            data={caseSeverities.toReversed().map((value) => ({ value, label: severityLooks[value].word }))}
            onChange={(event) => {
              const chosen = caseSeverities.find((each) => each === event.currentTarget.value);
              if (chosen !== undefined) setSeverity(chosen);
            }}
          />
          <Group grow gap="xs" align="start">
            {concerns.map(({ field, label }) => (
              <TextInput
                key={field}
                label={label}
                maxLength={500}
                value={values[field] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  setValues((before) => ({ ...before, [field]: value }));
                }}
              />
            ))}
          </Group>
          {others.length === 0 ? null : (
            <Stack gap="xs">
              {others.map((field) => (
                <TextInput
                  key={field}
                  label={field}
                  maxLength={500}
                  value={values[field] ?? ''}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    setValues((before) => ({ ...before, [field]: value }));
                  }}
                />
              ))}
            </Stack>
          )}
          <Checkbox
            label={t('Assign it to me')}
            checked={isMine}
            onChange={(event) => setIsMine(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={create.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('Open case')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
