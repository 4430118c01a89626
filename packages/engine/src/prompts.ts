import { advanceRuns, type ChildDeps } from './children.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { EngineError } from './errors.ts';
import type { AnswerPromptInput, OnEvents, Prompt, SqlClient } from './interfaces.ts';
import { storableText } from './json-value.ts';
import { type PromptRow, promptColumns, promptFromRow } from './rows.ts';
import { loadLockedRuns, lockRuns } from './run-load.ts';
import { noJobOutcomes, saveRuns } from './run-save.ts';
import { answerStep } from './run-signals.ts';

export type SignalDeps = ChildDeps & {
  readonly definitions: DefinitionCache;
  readonly now: () => Date;
  readonly onEvents: OnEvents;
};

/**
 * Answers a prompt in the caller's transaction. The run's lock orders the answers: the first to commit wins, and every later
 * one sees it and throws PROMPT_ALREADY_ANSWERED with the winner.
 */
export async function answerPrompt(tx: SqlClient, input: AnswerPromptInput, deps: SignalDeps): Promise<Prompt> {
  const { run_id: runId } = await readPrompt(tx, input);
  const runs = await lockRuns(tx, [runId]);
  const prompt = promptFromRow(await readPrompt(tx, input));
  const now = deps.now();
  requireAnswerable(prompt, input, now);
  const models = await loadLockedRuns(tx, runs, deps);
  const model = models.get(runId);
  if (!model) throw notFound(input);
  const answer = {
    option: input.option,
    username: storableText(input.username),
    comment: input.comment == null ? null : storableText(input.comment),
    at: now,
  };
  answerStep(model, prompt.stepId, answer, now);
  const changed = await advanceRuns(tx, [model], deps, now);
  await saveRuns(tx, changed, noJobOutcomes, now);
  await deps.onEvents(
    tx,
    changed.flatMap(({ changes }) => changes.events),
  );
  return { ...prompt, answered: answer, closedAt: now };
}

async function readPrompt(tx: SqlClient, which: { tenantId: string; promptId: string }): Promise<PromptRow> {
  const { rows } = await tx.query<PromptRow>(
    `select ${promptColumns('p')} from engine.prompt p where p.tenant_id = $1 and p.id = $2`,
    [which.tenantId, which.promptId],
  );
  const row = rows[0];
  if (!row) throw notFound(which);
  return row;
}

function notFound({ promptId }: { promptId: string }): EngineError {
  return new EngineError('PROMPT_NOT_FOUND', `There is no prompt "${promptId}".`, { promptId });
}

function requireAnswerable(prompt: Prompt, { option }: AnswerPromptInput, now: Date): void {
  const details = { promptId: prompt.id };
  if (prompt.answered) {
    const { answered } = prompt;
    throw new EngineError('PROMPT_ALREADY_ANSWERED', `Already answered with "${answered.option}".`, {
      ...details,
      answered,
    });
  }
  if (prompt.expiresAt && prompt.expiresAt <= now) {
    throw new EngineError('PROMPT_EXPIRED', 'The time to answer is over.', { ...details, expiresAt: prompt.expiresAt });
  }
  if (prompt.closedAt) throw new EngineError('PROMPT_CLOSED', 'The run has ended without this answer.', details);
  if (!prompt.options.some(({ value }) => value === option)) {
    const options = prompt.options.map(({ value }) => value);
    throw new EngineError('PROMPT_OPTION_UNKNOWN', `"${option}" is not among the options.`, { ...details, options });
  }
}
