export type ConfirmationTable = { user_id: string; route_id: string; object_hash: string; expires_at: Date };
export type ConfirmationGuessesTable = {
  user_id: string;
  route_id: string;
  failures: number;
  locked_until: Date | null;
};
export type ConfirmationsTables = { confirmation: ConfirmationTable; confirmation_guesses: ConfirmationGuessesTable };
