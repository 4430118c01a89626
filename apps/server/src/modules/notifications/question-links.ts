/** The links of a notice that stand for answers to a question: one for each option, for its reader alone. */
import type { AnswerLinks } from './notifications-port.ts';

/** Whoever has not answered for so long reads the question again first. */
const LINKS_LIVE_MS = 7 * 24 * 3_600_000;

/** What has to be known of a question to make its links; the columns beside it say which tenant and prompt. */
export type Question = {
  readonly options: readonly { readonly value: string; readonly label: string; readonly danger?: true }[];
  /** ISO time, null for a question that waits for as long as it takes. */
  readonly expires_at: string | null;
};

export type AnswerLink = { label: string; link: string; danger?: true };

type Row = {
  tenant_id: string;
  user_id: string;
  prompt_id: string | null;
  question: Question | null;
  link: string | null;
  created_at: Date;
};

/** The same notice gives the same links wherever it is read, so that one that was used is used everywhere. */
export function answerLinksOf(row: Row, sign: Awaited<ReturnType<AnswerLinks['signer']>>): AnswerLink[] {
  const { question, prompt_id: prompt, link } = row;
  if (question === null || prompt === null || link === null) return [];
  const expiresAt = endOf(question, row.created_at);
  const whose = { tenant: row.tenant_id, prompt, user: row.user_id, expiresAt };
  return question.options.map(({ value, label, danger }) => ({
    label,
    ...(danger === true ? { danger } : {}),
    link: `${link}&answer=${sign({ ...whose, option: value })}`,
  }));
}

function endOf({ expires_at: expires }: Question, toldAt: Date): Date {
  const latest = toldAt.getTime() + LINKS_LIVE_MS;
  return new Date(expires === null ? latest : Math.min(latest, new Date(expires).getTime()));
}
