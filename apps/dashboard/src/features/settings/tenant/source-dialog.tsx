import { type EventSource, type SourceKind, sourceKinds } from '@airdeck/contracts/sources/schema';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { firstEventCommand, sourceKindWords } from '../../../components/source-command.ts';
import { t } from '../../../language/translate.ts';
import { sourceMutations } from '../../../queries/sources.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settingsClasses from '../settings.module.css';
import classes from './tenant.module.css';

/** Makes a source and shows its token this one time. */
export function SourceDialog({ onClose }: { onClose: () => void }) {
  const { queryClient } = useApp();
  const create = useMutation(sourceMutations.create(useTenantApi(), queryClient, useCallIntent()));
  const [name, setName] = useState('');
  const [kind, setKind] = useState<SourceKind>('webhook');
  const [missing, setMissing] = useState(false);
  const { form, refuse } = useRefusal();
  if (create.data !== undefined) return <CreatedSource source={create.data} onClose={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setMissing(true);
      return refuse();
    }
    if (!create.isPending) create.mutate({ name: name.trim(), kind });
  };
  // Closed while the call is out, what is shown this one time would never be seen.
  const close = create.isPending ? () => undefined : onClose;
  return (
    <Dialog title={t('Create an event source')} onClose={close}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          <ProblemNote error={create.error} />
          <TextInput
            label={t('Name')}
            description={t('What sends here, such as Firewall HQ.')}
            maxLength={100}
            value={name}
            error={missing ? t('Enter a name.') : undefined}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setMissing(false);
            }}
            data-autofocus
          />
          <NativeSelect
            label={t('Kind')}
            description={sourceKindWords[kind].text}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={kind}
            data={sourceKinds.map((each) => ({ value: each, label: sourceKindWords[each].label }))}
            onChange={(event) => setKind(sourceKinds.find((each) => each === event.currentTarget.value) ?? kind)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} disabled={create.isPending}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('Create source')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

type CreatedProps = { source: EventSource & { token: string }; onClose: () => void };

function CreatedSource({ source, onClose }: CreatedProps) {
  const example = firstEventCommand(source, source.token);
  return (
    <Dialog
      title={t('Source {name}', { name: source.name })}
      size={620}
      onClose={onClose}
      closeLabel={t('Close')}
      closesOnlyByButton
    >
      <Stack gap="md">
        <Text size="sm">
          {t('Copy the token now: it is shown this one time. Whoever has it can send events here.')}
        </Text>
        <Copied label={t('Token')} value={source.token} />
        <Copied label={t('Address')} value={source.url} />
        <Copied label={t('Try it from a shell')} value={example} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <div className={classes.fieldName}>{label}</div>
      <div className={settingsClasses.key}>
        <code>{value}</code>
        <CopyButton value={value} label={t('Copy {label}', { label: label.toLowerCase() })} />
      </div>
    </div>
  );
}
