export type UserSignInTable = { user_id: string; last_sign_in_at: Date };

export type UsersTables = { user_sign_in: UserSignInTable };
