import { EntryCard } from '../../components/entry/entry-card.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { t } from '../../language/translate.ts';
import type { TicketPreview } from '../../session/identity-provider.ts';

type Props = { ticket: string; preview: TicketPreview };

/** The invited address has no account yet, and the tenant takes no passwords: its own issuer vouches for the address. */
export function InviteSso({ ticket, preview }: Props) {
  return (
    <EntryCard
      title={t('Join {tenantName}', { tenantName: preview.tenantName })}
      section={t('Invitation')}
      text={t('Your organisation signs in through its own account. Choose that way below.')}
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
