export type ClerkUserTable = {
  /** Clerk's id. */
  subject: string;
  /** Our user whose id Clerk knows as external id; null until it was told. */
  linked_user: string | null;
  /** `updated_at` of the newest change we know; what is older does not count. */
  changed_at: Date;
  deleted_at: Date | null;
};

/** What Clerk still has to be told. */
export type ClerkTaskTable = {
  kind: 'link' | 'delete_user' | 'invite' | 'revoke_invitation';
  /** Of what: subject, our invitation's id, or Clerk's id of an invitation. */
  object: string;
  /** `link`: our user's id. `invite`: when the invitation ends, which tells one sending of it from the next. */
  detail: string;
  attempts: number;
  created_at: Date;
  /** Null once it was given up. */
  due_at: Date | null;
  failure: string | null;
};

/** Invitations as Clerk calls them. */
export type ClerkInvitationTable = {
  clerk_id: string;
  invitation_id: string;
  created_at: Date;
};

/** Notices that were dealt with. */
export type ClerkMessageTable = { id: string; received_at: Date };

export type ClerkTables = {
  clerk_user: ClerkUserTable;
  clerk_task: ClerkTaskTable;
  clerk_invitation: ClerkInvitationTable;
  clerk_message: ClerkMessageTable;
};
