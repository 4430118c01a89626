import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { useApp } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import classes from './onboarding.module.css';
import { OnboardingSteps } from './onboarding-steps.tsx';

const QrCode = lazy(() =>
  import('../../components/account/qr-code.tsx').then(({ QrCode: Code }) => ({ default: Code })),
);

/** First step: the secret goes into an authenticator app, by picture or by hand. */
export function SetupTotpPage({ redirect }: { redirect: string | undefined }) {
  const { identity, queryClient } = useApp();
  const navigate = useNavigate();
  // Begun once per visit: each time makes another secret.
  const begun = useQuery({
    queryKey: ['totp-set-up'],
    queryFn: async () => (await identity.account()).beginTotp(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const goOn = () => {
    handOver(queryClient, { totpBegun: true });
    void navigate({ to: '/onboarding/confirm-totp', search: defined({ redirect }) });
  };
  return (
    <EntryCard
      title={t('Set up your authenticator')}
      section={t('Set up authenticator')}
      text={t(
        'Every sign-in here asks for a code of an authenticator app. Any will do: Google or Microsoft Authenticator, 1Password, Bitwarden, Aegis.',
      )}
      foot={
        <Link to="/logout" preload={false}>
          {t('Sign out')}
        </Link>
      }
    >
      <OnboardingSteps current="authenticator" />
      {begun.isError ? (
        <>
          <ProblemNote error={begun.error} />
          <div>
            <Button loading={begun.isFetching} onClick={() => void begun.refetch()}>
              {t('Try again')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <div className={classes.qr}>
            {begun.data === undefined ? (
              <LateSkeleton width={200} height={200} />
            ) : (
              <Secret secret={begun.data.secret} uri={begun.data.uri} />
            )}
          </div>
          <Button fullWidth disabled={begun.data === undefined} onClick={goOn}>
            {t('It is in my app')}
          </Button>
        </>
      )}
    </EntryCard>
  );
}

function Secret({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <Suspense fallback={<LateSkeleton width={200} height={200} />}>
        <QrCode text={uri} label={t('QR code for your authenticator app')} />
      </Suspense>
      <Text size="sm" ta="center">
        {t('Scan it with the app, or type this key:')}
      </Text>
      <div className={classes.secret}>
        <span>{inGroups(secret)}</span>
        <CopyButton value={secret} label={t('Copy the key')} />
      </div>
      <p className={classes.caption}>
        {tx('On this device? <link>Open your authenticator app</link>', { link: (text) => <a href={uri}>{text}</a> })}
      </p>
    </>
  );
}

/** Groups of four, as people read and type them. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
