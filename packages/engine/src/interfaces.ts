/**
 * Terminology
 *
 * job        the only thing a worker claims: a row that says "do this kind of work, not before that time".
 * lease      a claim with an end; the worker extends it by heartbeat. An expired lease is taken back by the reaper.
 * token      fencing number of a lease, higher with every claim. A result is accepted only with owner and token.
 * run        one execution of a definition. It keeps the definition it started with.
 * step       one action of a run. A step that calls out has a job while it is pending or running.
 * settled    a step that is success, error or cancelled; settled is for ever.
 * prompt     a question to a person; its first committed answer wins.
 * hand-over  the worker that finished a step receives the next step of the run already leased.
 * call mark  time committed before a step that must not be repeated calls out. Lease lost after it: OUTCOME_UNKNOWN.
 * suspect    a job that lost two leases; it is run by a worker that runs nothing else, so that only the one to blame goes on
 *            losing them.
 * absent     said of a worker that gives no sign of life: the lock it holds is free, none of its leases is extended.
 * forged     said of a job whose row no engine has written (`job-proof.ts`).
 * list       the items of an action with `for_each`: each has a step of its own, and one step stands for them all.
 * child      a run that a step of another run started and waits for.
 * hold       while a tenant is on hold, no step of its runs begins: what would begin waits, what has begun may end. Delays,
 *            questions and time limits go on, as does everything that is no run.
 * chain      steps of one run handed over in a row; bounded, so that other tenants get their turn.
 */
import type { ActionNode, Definition, PlaybookNode, PromptOption } from './definition.ts';
import type { Failure } from './errors.ts';
import type { EngineEvent } from './events.ts';
import type { EngineOptions } from './options.ts';
import type { RunStatus, SkipReason, StepStatus } from './statuses.ts';

/** One open transaction (or, for reads only, a pool). Values are bound, never interpolated. */
export interface SqlClient {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** Runs `fn` between BEGIN and COMMIT at READ COMMITTED; rolls back and rethrows when it throws. Sees all tenants. */
export interface SqlPool {
  transaction<T>(fn: (tx: SqlClient) => Promise<T>): Promise<T>;
}

/** LISTEN on a channel, re-established after a lost connection; resolves to the function that ends it. */
export type Listen = (channel: string, handler: (payload: string) => void) => Promise<() => Promise<void>>;

/**
 * A connection of its own, used for nothing else and opened again whenever it is lost, within a fraction of a second once
 * the database answers. `onOpen` is run on each before anything counts on it. Resolves when the first is open, to the
 * function that ends it. It must reach the database itself or a pool of sessions: locks of the session live as long as it.
 */
export type KeepSession = (onOpen: (session: SqlClient) => Promise<unknown>) => Promise<() => Promise<void>>;

export interface Clock {
  now(): Date;
}

export interface EngineLog {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The values expressions may read. */
export type ExpressionContext = {
  readonly inputs: unknown;
  readonly actions: Readonly<Record<string, { status: StepStatus; output: unknown; error: Failure | null }>>;
  readonly run: { readonly id: string; readonly tenant: string; readonly started_at: string };
  readonly trigger: unknown;
  /** Only in the input of an action with `for_each`: the item, and its place from 0. */
  readonly item?: unknown;
  readonly index?: number;
};

/** What became of one of several values rendered together. */
export type Rendered = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

export type ExpressionProblem = { readonly message: string; readonly position?: number };

/** A variable of the context, and the fields behind it as far as they are written out: `actions`, `['a', 'output']`. */
export type ExpressionRead = { readonly name: string; readonly fields: readonly string[] };

export type TemplatePart = { readonly kind: 'text' | 'expression'; readonly text: string };

export interface ExpressionEvaluator {
  /** Compiles without running; null means it compiles. */
  check(text: string): ExpressionProblem | null;
  /** What an expression takes from its context, and not what it binds itself. Throws for one that does not compile. */
  reads(text: string): readonly ExpressionRead[];
  /** Takes a text apart as `render` does. Throws where `render` would, for a template that is not closed or empty. */
  split(text: string): readonly TemplatePart[];
  /** Evaluates a condition. Throws when it fails or is not a boolean. */
  condition(text: string, context: ExpressionContext): boolean;
  /** Renders every `{{ … }}` in a value of any depth: typed when it is the whole string, text inside. Throws on failure. */
  render(value: unknown, context: ExpressionContext): unknown;
  /**
   * Renders the value once per item, with `item` and `index` besides the context. All of it together stays within the limits
   * of one `render`; an item beyond them fails like any other.
   */
  renderEach(value: unknown, context: ExpressionContext, items: readonly unknown[]): readonly Rendered[];
}

export type Effect = 'reads' | 'changes' | 'destroys';

/** What the engine must know of an action to repeat it safely; pinned when the run starts. */
export type ActionTraits = {
  readonly effect: Effect;
  /** The receiver honours the idempotency key, or repeating is harmless. */
  readonly idempotent: boolean;
  /** Used when the definition gives none. */
  readonly timeoutMs?: number;
};

export type StepContext = {
  readonly tenantId: string;
  readonly runId: string;
  readonly stepId: string;
  readonly actionId: string;
  readonly iteration: number;
  /** The action's name. */
  readonly name: string;
  /** The node of the definition, with any extra fields it carries. */
  readonly node: ActionNode;
  readonly input: unknown;
  /** 1 for the first try. */
  readonly attempt: number;
  /** `run:action:iteration`; the same on every attempt. Hand it to the receiver where it takes one. */
  readonly idempotencyKey: string;
  readonly effect: Effect;
  readonly idempotent: boolean;
  /** Only `reads` may call out when set; `markCallStarted` refuses the others. */
  readonly dryRun: boolean;
  readonly trigger: unknown;
  readonly subject: string | null;
  /** Aborted on timeout, cancel, lost lease and forced stop. */
  readonly signal: AbortSignal;
  /**
   * The executor must await this right before a call that changes something leaves the process. For a step that is neither
   * `reads` nor idempotent it commits the call mark (calls of other steps return at once). Rejects with LEASE_LOST when the
   * step was taken away: then nothing may be sent.
   */
  markCallStarted(): Promise<void>;
};

/** A definition one run starts for another. What it leaves out comes from the run that starts it. */
export type ResolvedPlaybook = {
  readonly definition: Definition;
  readonly traits: Readonly<Record<string, ActionTraits>>;
  readonly name: string;
  readonly kind?: string;
  readonly trigger?: unknown;
};

/**
 * Finds what a node of kind "playbook" starts, in the transaction that starts it; null ends the step with PLAYBOOK_UNKNOWN.
 * Throw `StepFailure` for a reason of your own, such as inputs that do not fit: it becomes the step's error. `inputs` are
 * rendered. Must not lock runs.
 */
export type ResolvePlaybook = (
  tx: SqlClient,
  request: {
    readonly tenantId: string;
    readonly node: PlaybookNode;
    readonly inputs: unknown;
    readonly parent: {
      readonly runId: string;
      readonly kind: string;
      readonly name: string;
      readonly trigger: unknown;
      readonly subject: string | null;
      readonly dryRun: boolean;
    };
  },
) => Promise<ResolvedPlaybook | null>;

/** Does one attempt; resolves to the output (JSON). Throw `StepFailure` to state code and whether a retry makes sense. */
export type StepExecutor = (context: StepContext) => Promise<unknown>;

export type JobContext<Payload = unknown> = {
  readonly jobId: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly payload: Payload;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /**
   * Completes the job inside the handler's own transaction, so that what it wrote and its completion are one commit.
   * Throws LEASE_LOST (roll back then) when the job was taken away. Without it the job completes after the handler returns.
   */
  completeIn(tx: SqlClient): Promise<void>;
};

export type LostJob = Pick<JobContext, 'jobId' | 'tenantId' | 'payload'>;

export type JobHandler = {
  run(context: JobContext): Promise<void>;
  /**
   * Told before a job is put away whose worker stopped in each of its attempts: `run` is not called again, and whoever waits
   * for it would wait for ever. What it throws is logged.
   */
  onLost?(job: LostJob): Promise<void>;
  /** The one whose jobs of this kind are carried out; every other's are put away. Default: all are. */
  readonly tenantId?: string;
  /** Default 10 minutes. */
  readonly timeoutMs?: number;
};

export type StartRunInput = {
  readonly tenantId: string;
  /** Given by the caller, for filters: `playbook`, `adhoc`. */
  readonly kind: string;
  readonly name: string;
  readonly definition: Definition;
  /** By action name. An action without traits is treated as one that destroys and is not idempotent. */
  readonly traits: Readonly<Record<string, ActionTraits>>;
  readonly inputs?: unknown;
  /** Opaque; readable in expressions as `trigger`. */
  readonly trigger?: unknown;
  /** Opaque link of the caller, filterable. */
  readonly subject?: string | null;
  /** −100 to 100, higher first, default 0. */
  readonly priority?: number;
  readonly dryRun?: boolean;
  /** Id of the key it is asked for with. Opaque, unseen by expressions, and not passed on to runs it starts. */
  readonly startedWith?: string | null;
  /** A second start with the same key of the same tenant returns the first run. */
  readonly dedupKey?: string;
  /** Not before this time. */
  readonly runAt?: Date;
  /** Chosen by the caller when it needs the id beforehand. */
  readonly runId?: string;
};

/**
 * Tries a run that has ended again: a new run of the same definition, inputs, kind, name, subject, priority and dry-run flag
 * takes over the steps that succeeded and does the rest. The idempotency keys are the new run's.
 */
export type RetryRunInput = {
  readonly tenantId: string;
  readonly reuse: {
    readonly runId: string;
    /** Action that is repeated although it succeeded, with everything downstream of it. */
    readonly from?: string;
  };
  /** Default: the earlier run's. */
  readonly trigger?: unknown;
  /** Default: none, whatever the earlier run was asked for with. */
  readonly startedWith?: string | null;
  readonly dedupKey?: string;
  /** Chosen by the caller when it needs the id beforehand. */
  readonly runId?: string;
};

export type StartedRun = { readonly runId: string; readonly created: boolean };

export type EnqueueJobInput = {
  readonly tenantId: string;
  readonly kind: string;
  readonly payload?: unknown;
  readonly priority?: number;
  readonly runAt?: Date;
  /** Default 5. */
  readonly maxAttempts?: number;
  /** Base of the exponential back-off, default 1000. */
  readonly backoffMs?: number;
  /** While a live job of this tenant and kind has the key, another one is not added. */
  readonly dedupKey?: string;
};

export type EnqueuedJob = { readonly jobId: string; readonly created: boolean };

export type ScheduleInput = {
  readonly tenantId: string;
  /** Unique per tenant; scheduling again replaces. */
  readonly name: string;
  /** Understood by the `nextSlot` port. */
  readonly expression: string;
  readonly kind: string;
  readonly payload?: unknown;
  readonly maxAttempts?: number;
};

export type PromptAnswer = {
  readonly option: string;
  /** Null when the default option was taken at expiry. */
  readonly username: string | null;
  readonly comment: string | null;
  readonly at: Date;
};

export type AnswerPromptInput = {
  readonly tenantId: string;
  readonly promptId: string;
  readonly option: string;
  readonly username: string;
  readonly comment?: string | null;
};

export type Run = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly name: string;
  readonly status: RunStatus;
  readonly inputs: unknown;
  readonly outputs: unknown;
  readonly error: Failure | null;
  readonly trigger: unknown;
  readonly subject: string | null;
  readonly priority: number;
  readonly dryRun: boolean;
  /** The run whose step started this one, and that step; it waits for this run's end. */
  readonly parentRunId: string | null;
  readonly parentStepId: string | null;
  /** The ended run this one tries again. */
  readonly retryOf: string | null;
  readonly cancelRequestedAt: Date | null;
  readonly cancelledBy: string | null;
  readonly deadlineAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** A run as lists show it: what it was given and gave may be large. */
export type RunOutline = Omit<Run, 'inputs' | 'outputs'>;

export type Step = {
  readonly id: string;
  readonly runId: string;
  readonly tenantId: string;
  readonly actionId: string;
  /** Place in the list of an action with `for_each`, else 0; −1 for the step that stands for the whole list. */
  readonly iteration: number;
  readonly kind: 'action' | 'prompt' | 'delay' | 'playbook';
  readonly name: string;
  readonly status: StepStatus;
  readonly skipReason: SkipReason | null;
  /** Attempts begun. */
  readonly attempt: number;
  readonly input: unknown;
  readonly output: unknown;
  /** The last error; while a retry is due it is the error of the attempt before. */
  readonly error: Failure | null;
  readonly effect: Effect | null;
  /** How far the list is, on the step that stands for one. */
  readonly items: {
    readonly total: number;
    readonly ended: number;
    readonly failed: number;
    /** Of which nobody knows whether they had their effect. */
    readonly unknown: number;
  } | null;
  /** The run a sub-playbook step started. */
  readonly childRunId: string | null;
  /** Taken over from the run this one tries again: it did not run here. */
  readonly reused: boolean;
  readonly callStartedAt: Date | null;
  readonly availableAt: Date | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** A step as lists of runs show it. */
export type StepOutline = Omit<Step, 'input' | 'output'>;

export type Prompt = {
  readonly id: string;
  readonly runId: string;
  readonly stepId: string;
  readonly actionId: string;
  readonly tenantId: string;
  readonly message: string;
  readonly options: readonly PromptOption[];
  readonly approvers: unknown;
  readonly askedAt: Date;
  readonly expiresAt: Date | null;
  readonly defaultOption: string | null;
  readonly answered: PromptAnswer | null;
  /** Set when the prompt can no longer be answered: answered, expired, run cancelled or failed. */
  readonly closedAt: Date | null;
};

/**
 * Called inside every transaction that changes state, with its events in order. They may belong to several runs and
 * tenants: take locks of your own in tenant order. Throwing rolls the transition back, and a run whose events cannot be
 * written is tried again and finally ended with RUN_FAULT.
 */
export type OnEvents = (tx: SqlClient, events: readonly EngineEvent[]) => Promise<void>;

/**
 * Lets the embedding program follow a run from where it was started to its attempts, in whichever process they happen. The
 * text is opaque here.
 */
export interface RunTracing {
  /** Told of a run that is about to be stored. What it returns is kept with the run and with those that it starts. */
  contextOf(run: Pick<Run, 'tenantId' | 'kind' | 'trigger'>): string | null;
  /** Carries out one attempt: calls `work` once and hands back what it resolves to. */
  attempt<Result extends AttemptOutcome>(
    of: { readonly context: string | null; readonly step: StepContext },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** As far as tracing is told of it. */
export type AttemptOutcome = {
  readonly type: 'succeeded' | 'failed' | 'timed_out' | 'aborted';
  readonly error?: Failure;
};

export type EngineDeps = {
  readonly pool: SqlPool;
  readonly listen: Listen;
  /**
   * Lets others see that this worker lives, so that they need not wait for the end of its leases when it is killed. Without
   * it they do.
   */
  readonly keepSession?: KeepSession;
  readonly clock: Clock;
  /** UUID v7; lists are ordered by it. */
  readonly ids: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  readonly log: EngineLog;
  readonly evaluator: ExpressionEvaluator;
  readonly executeStep: StepExecutor;
  readonly jobHandlers?: Readonly<Record<string, JobHandler>>;
  /** First slot strictly after the given time; null when there is none. Throws for an expression it cannot read. */
  readonly nextSlot?: (expression: string, after: Date) => Date | null;
  readonly onEvents?: OnEvents;
  /** Default: there are none, every node of kind "playbook" ends with PLAYBOOK_UNKNOWN. */
  readonly resolvePlaybook?: ResolvePlaybook;
  /** Whether a hold of its tenant stops this run; default: every run. */
  readonly holdAppliesTo?: (run: Pick<Run, 'kind' | 'trigger'>) => boolean;
  /** Default: nothing is followed. */
  readonly tracing?: RunTracing;
  /**
   * Whether an error of the database says that a repetition may succeed, though it answers: such a one is waited for and ends no
   * run. Default: none does.
   */
  readonly isTransient?: (error: unknown) => boolean;
  /** Told after the worker's own transactions have committed (not those of callers of `startRun` and the like). */
  readonly afterCommit?: (events: readonly EngineEvent[]) => void;
  readonly options?: Partial<EngineOptions>;
};

/**
 * The functions that take `tx` work in the caller's transaction and take effect with its commit. They lock the run's row:
 * call them before taking locks of your own that `onEvents` takes too.
 */
export interface Engine {
  /**
   * Throws DEFINITION_INVALID (details.problems), INPUT_TOO_LARGE and TOO_MANY_OPEN_RUNS; to try a run again also RUN_NOT_FOUND,
   * RUN_NOT_FINISHED and ACTION_UNKNOWN.
   */
  startRun(tx: SqlClient, input: StartRunInput | RetryRunInput): Promise<StartedRun>;
  /** Throws PROMPT_NOT_FOUND, _ALREADY_ANSWERED (details.answered), _OPTION_UNKNOWN, _EXPIRED, _CLOSED. */
  answerPrompt(tx: SqlClient, answer: AnswerPromptInput): Promise<Prompt>;
  /**
   * No step of the run starts after it commits; runs it started are cancelled by the worker right after. Cancelling a run
   * that has ended changes nothing. Throws RUN_NOT_FOUND.
   */
  cancelRun(
    tx: SqlClient,
    request: { tenantId: string; runId: string; by: string },
  ): Promise<{ status: RunStatus; changed: boolean }>;
  /**
   * Puts a tenant on hold, for all workers at once: no step begins after it commits. It waits for what is about to begin.
   * Repeating changes nothing.
   */
  hold(tx: SqlClient, tenantId: string): Promise<void>;
  /** Ends the hold; what waited goes on in its old order. */
  release(tx: SqlClient, tenantId: string): Promise<void>;
  enqueueJob(tx: SqlClient, input: EnqueueJobInput): Promise<EnqueuedJob>;
  /** Adds or replaces a schedule. Throws SCHEDULE_INVALID. */
  schedule(tx: SqlClient, input: ScheduleInput): Promise<void>;
  unschedule(tx: SqlClient, which: { tenantId: string; name: string }): Promise<void>;
  /** Of jobs it carries out; those of another release wait for it. */
  readonly jobKinds: readonly string[];
  /** Starts the worker: claims, heartbeats, reaps, fires timers and schedules. */
  start(): Promise<void>;
  /** Stops claiming, waits for what runs (at most `stopTimeoutMs`), then aborts it and hands the leases back. */
  stop(): Promise<void>;
  /** For readiness and metrics. */
  stats(): { readonly running: number; readonly queuedResults: number; readonly started: boolean };
}
