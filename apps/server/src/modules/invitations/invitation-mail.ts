import { roleLabels } from '@airdeck/contracts/access/roles';
import { limits } from '@airdeck/contracts/limits';
import type { Mail } from '../mail/mail-port.ts';
import type { DeliverTicket } from './invitations-port.ts';

type Dependencies = {
  mail: Mail;
  productName: string;
  /** Scheme and host under which people reach this installation; never taken from a request. */
  ownAddress: () => string;
};

/** Where a ticket is accepted. The parameter's name is part of the dashboard's addresses. */
export function ticketAddress(ownAddress: string, ticket: string): string {
  return `${ownAddress.replace(/\/+$/, '')}/signup/invite?__clerk_ticket=${ticket}`;
}

/** Tickets by mail. The text is the same whether the address has an account or not. */
export function createMailDelivery({ mail, productName, ownAddress }: Dependencies): DeliverTicket {
  return async (tx, invitation, ticket) => {
    const tenant = oneLine(invitation.tenantName);
    await mail.queue(tx, {
      ...{ to: invitation.email, sender: invitation.invitedBy, tenant: invitation.tenant },
      write: ({ say }) => ({
        subject: say('Invitation to {tenant} on {productName}', { tenant, productName }),
        text: [
          say('Hello {name},', { name: oneLine(invitation.fullname) }),
          '',
          say('{by} invites you to work in {tenant} on {productName}, with the role {role}.', {
            ...{ by: oneLine(invitation.invitedBy), tenant, productName },
            role: say(roleLabels[invitation.role]),
          }),
          '',
          say('Open this link to accept. It works once, within {days} days:', { days: limits.invitationLifetimeDays }),
          '',
          ticketAddress(ownAddress(), ticket),
          '',
          say('If you did not expect this, ignore this mail: without the link nothing happens.'),
        ].join('\n'),
      }),
    });
  };
}

/** What people typed stays within its line, and cannot pose as a part of the mail. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
