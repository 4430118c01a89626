import type { Role } from '@airdeck/contracts/access/roles';
import type { Generated } from 'kysely';

export type InvitationTable = {
  id: string;
  tenant_id: string;
  /** Lower case; null for the set-up of the installation. */
  email: string | null;
  fullname: string;
  role: Role;
  state: 'pending' | 'accepted' | 'revoked';
  /** SHA-256 of the ticket, hex. The ticket has 256 random bits, so a slow hash would add nothing. */
  ticket_hash: string;
  invited_by: string;
  created_at: Generated<Date>;
  sent_at: Date;
  /** Tickets made since `window_started_at`. */
  sends: number;
  window_started_at: Date;
  expires_at: Date;
};

export type InvitationsTables = { invitation: InvitationTable };
