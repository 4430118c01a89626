import { useNavigate } from '@tanstack/react-router';
import { INVITATION } from '../../components/entry/asked-for.ts';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { SignInForm } from '../../components/entry/sign-in-form.tsx';
import { useSignIn } from '../../components/entry/use-sign-in.ts';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';
import type { TicketPreview } from '../../session/identity-provider.ts';
import { useJoin } from './use-join.ts';

type Props = { ticket: string; preview: TicketPreview; secondFactor: boolean };

/** The invited address has an account: its owner signs in, which accepts the invitation. */
export function InviteExisting({ ticket, preview, secondFactor }: Props) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  const join = useJoin(ticket);
  const signIn = useSignIn({
    email: preview.email,
    secondFactor,
    onSignedIn: join,
    onNewPassword: async (email) => {
      handOver(queryClient, { email });
      await navigate({ to: '/new-password-required', search: { redirect: INVITATION } });
    },
  });
  return (
    <EntryCard
      title={t('Join {tenantName}', { tenantName: preview.tenantName })}
      section={t('Invitation')}
      text={t('You have an account already. Sign in to it to accept the invitation.')}
      mails
    >
      <SignInForm signIn={signIn} fixedEmail={preview.email !== ''} />
      {signIn.step === 'password' ? (
        <OtherWays purpose={{ for: 'invitation', ticket }} email={preview.email} verb="Sign in" onPasskey={join} />
      ) : null}
    </EntryCard>
  );
}
