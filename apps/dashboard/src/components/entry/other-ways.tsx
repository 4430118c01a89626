import { Button, Stack } from '@mantine/core';
import { IconBrandGoogleFilled, IconBrandWindowsFilled, IconBuilding, IconFingerprint } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { isEmailAddress } from '../../lib/email-address.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';
import { type ExternalConnection, type ExternalPurpose, IdentityError } from '../../session/identity-provider.ts';
import { ProblemNote } from '../problem-note.tsx';
import classes from './entry.module.css';
import { useSubmit } from './use-submit.ts';

type Props = {
  purpose: ExternalPurpose;
  /** With an address, also the single sign-on of its domain. */
  email: string;
  verb: keyof typeof wayWords;
  /** These and nothing beside them, where a tenant takes nothing else. */
  only?: readonly ExternalConnection[] | undefined;
  /** Left out where a passkey makes no sense: it belongs to an account that exists. */
  onPasskey?: () => Promise<void>;
};

const icons = {
  microsoft: IconBrandWindowsFilled,
  google: IconBrandGoogleFilled,
  oidc: IconBuilding,
} as const satisfies Record<ExternalConnection['kind'], unknown>;

const wayWords = {
  'Sign in': (label: string) => t('Sign in with {label}', { label }),
  Continue: (label: string) => t('Continue with {label}', { label }),
  Join: (label: string) => t('Join with {label}', { label }),
};

/** Ways in besides a password: other providers, the organisation's single sign-on, a passkey. Nothing if there are none. */
export function OtherWays({ purpose, email, verb, only, onPasskey }: Props) {
  const { identity, queryClient } = useApp();
  // What failed at the other provider. The sign-in page shows it itself.
  const [before] = useState(() => (purpose.for === 'sign_in' ? undefined : handedOver(queryClient).problem));
  const { problem, busy, submit } = useSubmit(before);
  const connections = useConnections(email, { enabled: only === undefined });
  const start = (connection: ExternalConnection) =>
    submit(async () => (await identity.account()).startExternal(connection.id, purpose));
  const signInWithPasskey = (done: () => Promise<void>) =>
    submit(async () => {
      await (await identity.account()).signInWithPasskey();
      await done();
    });
  const passkey = typeof window.PublicKeyCredential === 'function' ? onPasskey : undefined;
  const found = only ?? connections.data ?? [];
  if (found.length === 0 && passkey === undefined && !connections.isError) return null;
  return (
    <Stack gap="sm">
      {only === undefined ? <div className={classes.or}>{t('or')}</div> : null}
      <ProblemNote error={problem} />
      {found.map((connection) => {
        const Icon = icons[connection.kind];
        return (
          <Button
            key={connection.id}
            variant={only?.length === 1 ? 'filled' : 'default'}
            fullWidth
            disabled={busy}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => void start(connection)}
          >
            {wayWords[verb](connection.label)}
          </Button>
        );
      })}
      {passkey === undefined ? null : (
        <Button
          variant="default"
          fullWidth
          disabled={busy}
          leftSection={<IconFingerprint size={16} aria-hidden />}
          onClick={() => void signInWithPasskey(passkey)}
        >
          {t('Sign in with a passkey')}
        </Button>
      )}
      {connections.isError ? (
        <div className={classes.between} role="status">
          {t('Other ways to sign in could not be loaded.')}
          <button type="button" className={classes.linkButton} onClick={() => void connections.refetch()}>
            {t('Try again')}
          </button>
        </div>
      ) : null}
    </Stack>
  );
}

function useConnections(email: string, { enabled }: { enabled: boolean }) {
  const { identity } = useApp();
  const asked = isEmailAddress(email) ? email : undefined;
  return useQuery({
    queryKey: ['sign-in-connections', asked ?? ''],
    queryFn: async () => (await identity.account()).listConnections(asked).catch(noneIfNotOffered),
    enabled,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

function noneIfNotOffered(error: unknown): readonly ExternalConnection[] {
  if (error instanceof IdentityError && error.code === 'NOT_SUPPORTED') return [];
  throw error;
}
