export type ActivityTables = {
  /** The answer of the first of two people, until the second confirms it; stays as the first one's part in it. */
  prompt_approval: {
    tenant_id: string;
    prompt_id: string;
    option: string;
    user_id: string;
    username: string;
    comment: string | null;
    approved_at: Date;
  };
  /** How often a person started something in the present minute of theirs. */
  start_pace: { tenant_id: string; user_id: string; used: number; ends_at: Date };
  /** Links of notices that were used to answer. */
  prompt_link_use: { tenant_id: string; prompt_id: string; mark: string; used_at: Date };
};
