import { roleLabels } from '@airdeck/contracts/access/roles';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { known, t } from '../../language/translate.ts';
import type { TicketPreview } from '../../session/identity-provider.ts';

type Props = { ticket: string; preview: TicketPreview };

/** The invited address has no account yet, and the tenant takes no passwords: its own issuer vouches for the address. */
export function InviteSso({ ticket, preview }: Props) {
  return (
    <EntryCard
      title={t('Join {tenantName}', { tenantName: preview.tenantName })}
      section={t('Invitation')}
      text={
        <>
          {invitedAs(preview)} {t('Your organization signs in through its own account.')}
        </>
      }
      mails
    >
      <OtherWays
        purpose={{ for: 'invitation', ticket }}
        email={preview.email}
        verb="Join"
        only={preview.onlyConnections}
      />
    </EntryCard>
  );
}

/** Whoever is signed in with another account there would join as somebody else, and be refused. */
function invitedAs({ email, role }: TicketPreview): string {
  return role === undefined
    ? t('The invitation is for {email}.', { email })
    : t('The invitation is for {email}, with the role {role}.', { email, role: known(roleLabels[role]) });
}
