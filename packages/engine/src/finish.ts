/**
 * The finisher: signals that arrive while a transaction is under way are committed together by the next one.
 *
 * When a batch fails, its signals are tried one by one, so that one poisonous run cannot hold up the others. A signal that
 * fails alone is tried again beside the batches. A database that cannot be reached, or says that it cannot write for now, is
 * waited for; a signal that fails although the database answers ends its run as RUN_FAULT, because a run must never hang.
 * When that cannot be committed either, the job comes back with its lease's end, as often as one may lose its worker; then
 * the run is given up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from './batcher.ts';
import { messageOf } from './errors.ts';
import { giveUpRun } from './give-up.ts';
import type { EngineLog, SqlPool } from './interfaces.ts';
import { backoffMs } from './retry.ts';
import { type CommandOutcome, type CommitterDeps, commitSignals, type RunCommand } from './run-commit.ts';
import type { AttemptResult } from './run-signals.ts';

const STRIKES_BEFORE_FAULT = 3;
/** Outputs written by one statement: nothing else is done while their text is made. */
const BATCH_OUTPUT_BYTES = 2_097_152;
const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 2_000;

export interface Finisher {
  /** Resolves when the signal is durable (or its lease lost). Rejects when that could not be achieved in time. */
  submit(command: RunCommand): Promise<CommandOutcome>;
  size(): number;
  idle(): Promise<void>;
}

export type FinisherDeps = CommitterDeps & {
  readonly log: EngineLog;
  readonly batchSize: number;
  /** How long to go on trying while the database is away. */
  readonly giveUpAfterMs: number;
  /** Whether the database says that a repetition may succeed: a full disk, a standby, a deadlock. */
  readonly isTransient: (error: unknown) => boolean;
};

type Attempt = { readonly outcome: CommandOutcome } | { readonly error: unknown };

export function createFinisher(deps: FinisherDeps): Finisher {
  let persisting = 0;
  const batcher = createBatcher<RunCommand, Attempt>((commands) => commitBatch(commands, deps), deps.batchSize, {
    bytesOf: ({ signal }) => (signal.type === 'attempt' ? outputBytes(signal.result) : 0),
    maxBytes: BATCH_OUTPUT_BYTES,
  });

  async function submit(command: RunCommand): Promise<CommandOutcome> {
    const first = await batcher.submit(command);
    if ('outcome' in first) return first.outcome;
    persisting += 1;
    try {
      return await persist(command, first.error, deps);
    } finally {
      persisting -= 1;
    }
  }

  return { submit, size: () => batcher.size() + persisting, idle: () => batcher.idle() };
}

function outputBytes(result: AttemptResult): number {
  return result.type === 'succeeded' ? (result.sizeBytes ?? 0) : 0;
}

async function commitBatch(commands: readonly RunCommand[], deps: FinisherDeps): Promise<Attempt[]> {
  try {
    return (await commitSignals(commands, deps)).map((outcome) => ({ outcome }));
  } catch (error) {
    if (commands.length === 1) return [{ error }];
    deps.log.warn(
      { error: messageOf(error), signals: commands.length },
      'a batch failed, trying its signals one by one',
    );
  }
  const attempts: Attempt[] = [];
  for (const command of commands) attempts.push(await commitAlone(command, deps));
  return attempts;
}

async function commitAlone(command: RunCommand, deps: FinisherDeps): Promise<Attempt> {
  try {
    const [outcome] = await commitSignals([command], deps);
    return outcome ? { outcome } : { error: new Error('A signal was not answered.') };
  } catch (error) {
    return { error };
  }
}

async function persist(command: RunCommand, firstError: unknown, deps: FinisherDeps): Promise<CommandOutcome> {
  const giveUpAt = performance.now() + deps.giveUpAfterMs;
  let strikes = 0;
  let error = firstError;
  for (let failures = 1; performance.now() < giveUpAt; failures += 1) {
    if (!deps.isTransient(error) && (await answers(deps.pool))) strikes += 1;
    if (strikes >= STRIKES_BEFORE_FAULT) return fault(command, error, deps);
    await sleep(backoffMs({ failures, baseMs: RETRY_BASE_MS, capMs: RETRY_CAP_MS, random: deps.random }));
    const next = await commitAlone(command, deps);
    if ('outcome' in next) return next.outcome;
    error = next.error;
  }
  throw error;
}

async function answers(pool: SqlPool): Promise<boolean> {
  try {
    await pool.transaction((tx) => tx.query('select 1'));
    return true;
  } catch {
    return false;
  }
}

async function fault(command: RunCommand, cause: unknown, deps: FinisherDeps): Promise<CommandOutcome> {
  const { runId, signal, job } = command;
  deps.log.error({ runId, signal: signal.type, error: messageOf(cause) }, 'a run cannot go on and is ended');
  const stepId = 'stepId' in signal ? signal.stepId : null;
  const ended = await commitAlone({ ...command, signal: { type: 'fault', stepId } }, deps);
  if ('outcome' in ended) return ended.outcome;
  if (job === undefined || job.losses < deps.maxLeaseLosses) throw ended.error;
  deps.log.error({ runId, error: messageOf(ended.error) }, 'a run can neither go on nor be ended, and is given up');
  const how = { owner: deps.owner, now: deps.now() };
  await deps.pool.transaction((tx) => giveUpRun(tx, { ...command, job }, how));
  return { accepted: true, begun: [] };
}
