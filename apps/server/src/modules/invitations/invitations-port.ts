import type { Role } from '@airdeck/contracts/access/roles';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';

/** An invitation whose ticket was presented and still counts. */
export type OpenInvitation = {
  /** Also the id the new user gets when the ticket brings one: the sign-in is created with it as `externalId`. */
  readonly id: string;
  readonly tenant: string;
  readonly tenantName: string;
  /** Lower case; null for the set-up of an installation, whose first Admin says it when signing up. */
  readonly email: string | null;
  readonly fullname: string;
  readonly role: Role;
  readonly expiresAt: Date;
};

export type NewInvitation = {
  readonly tenant: string;
  readonly email: string;
  readonly fullname: string;
  readonly role: Role;
  readonly by: ChangedBy;
};

/** Who accepts: an identity that a provider vouches for, with the e-mail address that provider has verified. */
export type AcceptingIdentity = {
  readonly issuer: string;
  readonly subject: string;
  readonly externalId: string | null;
  /** Lower case; null when the provider knows none or has not verified it. */
  readonly verifiedEmail: string | null;
  readonly fullname: string;
};

export type Accepted = {
  readonly user: string;
  readonly tenant: string;
  readonly tenantName: string;
  readonly role: Role;
};

/** Hands the ticket to the invited person, in the transaction that makes it: by mail, or through a hosted provider. */
export type DeliverTicket = (
  tx: Tx,
  invitation: OpenInvitation & { readonly email: string; readonly invitedBy: string },
  ticket: string,
) => Promise<void>;

export interface Invitations {
  /**
   * Invites an address to a tenant, or sends a new ticket that replaces the one before. Needs a system transaction,
   * writes the audit record and delivers the ticket. Throws EMAIL_TAKEN for a member, RATE_LIMITED.
   */
  invite(tx: Tx, invitation: NewInvitation): Promise<{ id: string }>;
  /** Throws TICKET_INVALID for every reason a ticket may be refused for, without saying which; that is audited. */
  find(ticket: string, requestId?: string): Promise<OpenInvitation>;
  /**
   * Uses the ticket up: once, whatever number of tries arrive at once. Without a caller the user is created first.
   * Needs a system transaction. Throws TICKET_INVALID, and TICKET_FOR_ANOTHER for somebody with another address.
   */
  accept(
    tx: Tx,
    acceptance: {
      ticket: string;
      /** Where a hosted provider vouches for the identity holding this invitation's ticket: the ticket is its own. */
      invitation?: string | undefined;
      identity: AcceptingIdentity;
      caller: Pick<Caller, 'userId'> | undefined;
      /** A new user begins with it. */
      locale?: string;
      requestId?: string | null;
    },
  ): Promise<Accepted>;
}
