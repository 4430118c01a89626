import type { Role } from '@airdeck/contracts/access/roles';
import type { ObjectiveId } from '@airdeck/contracts/operations/objectives';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { Tx } from '../../storage/schema.ts';
import type { SecurityEvent } from '../identity/auth-call.ts';

/**
 * Who hears of it: everybody in the tenant whom one of these names. Judged when it is told, so that somebody whose role
 * was taken away meanwhile hears nothing.
 */
export type Audience = {
  readonly users?: readonly string[];
  readonly usernames?: readonly string[];
  /** At least this role. */
  readonly role?: Role;
  /** For what concerns the account: `users` hear it wherever they are members. */
  readonly anywhere?: true;
  /** Told by a mail of its own that nobody can switch off. */
  readonly mailed?: true;
  /** Of a question told before: told only where nobody of these could answer it any more. */
  readonly ifUnheard?: true;
};

/** Something people may want to hear of, as the module it happened in knows it. */
export type Happening = { readonly tenant: string } & (
  | { kind: 'case_opened'; caseId: string; reference: string; name: string; severity: CaseSeverity }
  | { kind: 'case_assigned'; caseId: string; reference: string; name: string; assignee: string; by: string }
  | {
      kind: 'case_mentioned';
      caseId: string;
      reference: string;
      name: string;
      usernames: readonly string[];
      by: string;
      comment: string;
    }
  | {
      kind: 'sla_warning' | 'sla_breach';
      caseId: string;
      reference: string;
      name: string;
      /** Which of the two times of the case's clock. */
      due: 'respond' | 'resolve';
      dueAt: Date;
      assignee: string | null;
    }
  | {
      kind: 'prompt_waiting';
      runId: string;
      runName: string;
      message: string;
      approvers: { role?: Role | undefined; usernames?: readonly string[] | undefined };
      promptId: string;
      options: readonly { value: string; label: string; style?: string }[];
      /** Null for a question that waits for as long as it takes. */
      expiresAt: Date | null;
      /**
       * It was told when it was asked, and somebody who could answer has left: nobody hears of it again but the Admins, where
       * nobody is left. Needs a system transaction.
       */
      isAskedBefore?: true;
    }
  /** `starter` is null where nobody started the run by hand: its Admins hear of it. */
  | { kind: 'run_failed'; runId: string; isPlaybook: boolean; runName: string; reason: string; starter: string | null }
  /** `responseName`: the first of the policy's or rule's automations that was kept from starting. */
  | {
      kind: 'automation_stopped';
      source: { kind: 'policy' | 'automation_rule'; id: string; name: string };
      responseName: string;
      answers: number;
      until: Date;
    }
  /** `reason` is null when it works again. */
  | { kind: 'connector_down'; connectorId: string; name: string; since: Date; reason: string | null }
  /** `connectorId`: whose fetched events these are; null where others send. */
  | { kind: 'source_silent'; name: string; connectorId: string | null; lastEventAt: Date; isHeard: boolean }
  /** `until`: what was proved counts so long; null when it counts no more. */
  | { kind: 'domain_unproved'; domain: string; until: Date | null }
  /** A promise of the whole installation, told to its provider; `isKept` when it is kept again. */
  | { kind: 'objective_missed'; objective: ObjectiveId; isKept: boolean }
  /** Of the whole installation, told to its provider. `seen`: when, and how many workers took nothing; null when it is over. */
  | { kind: 'work_stalled'; since: Date; seen: { at: Date; workers: number } | null }
  /** `failure` is null when the file is there, `user` when nobody asked for it. */
  | { kind: 'report_ready'; name: string; user: string | null; failure: string | null }
);

/** Tells people. What is told is told when the caller's transaction commits, and never when it rolls back. */
export interface Notices {
  /** One row, whatever the number of people: safe inside the transaction that detects. */
  tell(tx: Tx, happening: Happening): Promise<void>;
}

/** For questions: what was told of one that is over is done with, for everybody, and what was not told yet never is. */
export interface QuestionNotices extends Notices {
  settle(tx: Tx, question: { tenant: string; promptId: string }): Promise<void>;
}

/** The answer a link of a notice stands for: of one reader, to one question, until a time. */
export type LinkedAnswer = {
  readonly tenant: string;
  readonly prompt: string;
  readonly option: string;
  readonly user: string;
  readonly expiresAt: Date;
};

/** Makes what such links carry. */
export interface AnswerLinks {
  /** The key is fetched here, once for any number of links. */
  signer(): Promise<(answer: LinkedAnswer) => string>;
}

/** Tells people what happened to the security of their accounts; in system transactions. */
export interface AccountNotices {
  tellUser(tx: Tx, user: { id: string; home_tenant_id: string }, event: SecurityEvent): Promise<void>;
  /** Remembers the device of an event, so that it is not told as new later. The user need not be there yet. */
  noteDevice(tx: Tx, userId: string, event: Pick<SecurityEvent, 'from'>): Promise<void>;
}

/** For the past of a demo, which nobody waits to hear of. */
export const silentNotices: QuestionNotices = { tell: () => Promise.resolve(), settle: () => Promise.resolve() };
