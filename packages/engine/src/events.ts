import type { PromptOption } from './definition.ts';
import type { Failure } from './errors.ts';
import type { PromptAnswer } from './interfaces.ts';
import type { RunStatus, SkipReason, StepStatus } from './statuses.ts';

/** What every event of a run says about that run, so that a listener needs no read of its own. */
export type RunFacts = {
  readonly tenantId: string;
  readonly runId: string;
  readonly runKind: string;
  readonly runName: string;
  readonly runStatus: RunStatus;
  readonly subject: string | null;
  readonly trigger: unknown;
  readonly dryRun: boolean;
  /** As the run was started with it; null for one that another run started. */
  readonly startedWith: string | null;
  /** When the run was created; with `at` of `run.finished` this is its duration. */
  readonly runCreatedAt: Date;
};

export type StepFacts = {
  readonly stepId: string;
  readonly actionId: string;
  readonly iteration: number;
  readonly stepKind: 'action' | 'prompt' | 'delay' | 'playbook';
  /** The action's name; for every other kind the action's id. */
  readonly stepName: string;
  readonly stepStatus: StepStatus;
  readonly effect: 'reads' | 'changes' | 'destroys' | null;
  readonly attempt: number;
};

export type RunEvent = RunFacts & { readonly at: Date } & (
    | { readonly type: 'run.created' }
    | { readonly type: 'run.started' }
    | { readonly type: 'run.waiting' }
    | { readonly type: 'run.resumed' }
    | {
        readonly type: 'run.cancel_requested';
        readonly by: string;
        /** By the run that started this one, because that one ends; not by a call of `cancelRun`. */
        readonly passedOn: boolean;
      }
    | {
        readonly type: 'run.finished';
        readonly outputs: unknown;
        readonly error: Failure | null;
        readonly cancelledBy: string | null;
      }
  );

export type StepEvent = RunFacts &
  StepFacts & { readonly at: Date } & (
    | { readonly type: 'step.started'; readonly input: unknown }
    | { readonly type: 'step.retrying'; readonly error: Failure; readonly nextAttemptAt: Date }
    | { readonly type: 'step.waiting'; readonly until: Date | null }
    | {
        readonly type: 'step.finished';
        readonly output: unknown;
        readonly error: Failure | null;
        readonly startedAt: Date | null;
      }
    | { readonly type: 'step.skipped'; readonly reason: SkipReason }
    /** Of the step that stands for a list, whose items have told of themselves. */
    | { readonly type: 'list.finished'; readonly items: ListCounts; readonly error: Failure | null }
  );

/** How many items a list has, and how many of them did what they should. */
export type ListCounts = { readonly total: number; readonly succeeded: number };

export type PromptEvent = RunFacts & {
  readonly at: Date /** Also the id of its step. */;
  readonly promptId: string;
  readonly actionId: string;
} & (
    | {
        readonly type: 'prompt.asked';
        readonly message: string;
        readonly options: readonly PromptOption[];
        readonly approvers: unknown;
        readonly expiresAt: Date | null;
        readonly defaultOption: string | null;
      }
    | { readonly type: 'prompt.answered'; readonly answer: PromptAnswer }
    | { readonly type: 'prompt.expired' }
    | { readonly type: 'prompt.closed' }
  );

export type JobEvent = {
  readonly type: 'job.dead';
  readonly at: Date;
  readonly tenantId: string;
  readonly jobId: string;
  readonly jobKind: string;
  readonly attempt: number;
  readonly error: Failure;
};

export type EngineEvent = RunEvent | StepEvent | PromptEvent | JobEvent;

/** A listener's map by event type, for logs and metrics. */
export type EngineEventMap = { readonly [Type in EngineEvent['type']]: Extract<EngineEvent, { type: Type }> };
