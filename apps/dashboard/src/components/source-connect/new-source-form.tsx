import { type SourceKind, sourceKinds } from '@airdeck/contracts/sources/schema';
import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { sourceMutations } from '../../queries/sources.ts';
import { useApp, useTenantApi } from '../../session/app-context.ts';
import { useCallIntent } from '../action-run/use-call-intent.ts';
import { ProblemNote } from '../problem-note.tsx';
import { sourceKindWords } from '../source-command.ts';
import classes from './source-connect.module.css';

const order = (Object.keys(sourceKindWords) as SourceKind[]).filter((kind) => sourceKinds.includes(kind));

type Props = {
  onCreated: (made: { id: string; token: string }) => void;
  /** While the call is out: closed meanwhile, what is shown this one time would never be seen. */
  onBusy?: (busy: boolean) => void;
};

/** Makes an event source; its answer is the only one that holds the token. */
export function NewSourceForm({ onCreated, onBusy }: Props) {
  const { queryClient } = useApp();
  const create = useMutation(sourceMutations.create(useTenantApi(), queryClient, useCallIntent()));
  const [name, setName] = useState('');
  const [kind, setKind] = useState<SourceKind>('syslog');
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() === '' || create.isPending) return;
    onBusy?.(true);
    create.mutate(
      { name: name.trim(), kind },
      { onSuccess: ({ id, token }) => onCreated({ id, token }), onSettled: () => onBusy?.(false) },
    );
  };
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <ProblemNote error={create.error} />
      <TextInput
        label={t('Name')}
        placeholder={t('FortiGate HQ')}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        error={missing ? t('Enter a name.') : undefined}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setMissing(false);
        }}
      />
      <Radio.Group
        label={t('How it sends')}
        value={kind}
        onChange={(value) => setKind(order.find((each) => each === value) ?? 'syslog')}
      >
        <Stack gap={10} mt={8}>
          {order.map((each) => (
            <Radio
              key={each}
              size="sm"
              value={each}
              label={sourceKindWords[each].label}
              description={sourceKindWords[each].text}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Button type="submit" className={classes.own ?? ''} loading={create.isPending}>
        {t('Make the source')}
      </Button>
    </form>
  );
}
