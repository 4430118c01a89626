import type { OwnNetworks } from '@airdeck/contracts/own-networks/schema';
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { ownNetworkMutations } from '../../../queries/own-networks.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import {
  inputOf,
  NETWORK_MAX_CHARS,
  NETWORKS_MAX,
  NOTE_MAX_CHARS,
  networkProblem,
  refusedNetwork,
} from './network-list.ts';
import classes from './networks.module.css';

/** Names one more network. The list is sent as it was seen, so that nobody else's change is lost. */
export function NetworkForm({ own }: { own: OwnNetworks }) {
  const { queryClient } = useApp();
  const put = useMutation(ownNetworkMutations.put(useTenantApi(), queryClient));
  const field = useRef<HTMLInputElement>(null);
  const [network, setNetwork] = useState('');
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string>();
  const refused = refusedNetwork(put.error);
  const isFull = own.networks.length >= NETWORKS_MAX;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (put.isPending || isFull) return;
    const found = networkProblem(network, own);
    setProblem(found);
    if (found !== undefined) {
      field.current?.focus();
      return;
    }
    put.mutate(inputOf(own, [...own.networks, { network: network.trim(), note: note.trim() }]), {
      onSuccess: () => {
        showDone(t('{network} added', { network: network.trim() }));
        // What was typed meanwhile is the next one.
        setNetwork((now) => (now === network ? '' : now));
        setNote((now) => (now === note ? '' : now));
        field.current?.focus();
      },
      onError: (error) => {
        if (refusedNetwork(error) !== undefined) field.current?.focus();
      },
    });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {refused === undefined ? <ProblemNote error={put.error} /> : null}
      <div className={classes.fields}>
        <TextInput
          ref={field}
          label={t('Network')}
          description={t('Inside {permitted}, which the operator has opened.', {
            permitted: own.permitted.join(` ${t('or')} `),
          })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="10.1.2.0/24"
          autoComplete="off"
          spellCheck={false}
          maxLength={NETWORK_MAX_CHARS}
          aria-required
          value={network}
          error={problem ?? refused}
          onChange={(event) => {
            setNetwork(event.currentTarget.value);
            setProblem(undefined);
            if (put.isError) put.reset();
          }}
        />
        <TextInput
          label={t('Note')}
          description={t('What is there. Optional.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={NOTE_MAX_CHARS}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <GuardedButton
        className={classes.add ?? ''}
        type="submit"
        reason={isFull ? t('A tenant names {NETWORKS_MAX} networks at most.', { NETWORKS_MAX }) : undefined}
        loading={put.isPending}
      >
        {t('Add network')}
      </GuardedButton>
    </form>
  );
}
