/**
 * Questions of runs and their answers.
 *
 * One answer counts: the first to commit, ordered by the lock on the run. Where the tenant asks for two people and something
 * that destroys comes after the question, an option takes two of them: the first one's choice is kept beside the open
 * question and has no effect, and another approver who chooses the same answers it. The first one may choose anew until
 * then; another option of somebody else is refused. The option that is taken when nobody answers needs one person only,
 * whoever chose what before: it is the way to say no. When the question expires or its run ends, a kept choice means nothing.
 *
 * A link from a notice chooses the option and is used up with the answer it gave, in one transaction.
 */
import type { Role } from '@airdeck/contracts/access/roles';
import type { Prompt as WirePrompt } from '@airdeck/contracts/activity/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { EngineError } from '@airdeck/engine/errors';
import type { Engine, Prompt, Run } from '@airdeck/engine/interfaces';
import { findPrompt, findRun } from '@airdeck/engine/reads';
import { lockRuns } from '@airdeck/engine/run-load';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KeyedAnswers, KeyedRequest } from '../keyed-answers/keyed-answers.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { Changes } from '../stream/changes.ts';
import type { AnswerLinkReader, ReadLink } from './answer-links.ts';
import { type ApprovalRow, findApproval, isLinkSpent, putApproval, spendLink } from './approvals-repository.ts';
import { destroysBelow } from './destruction-below.ts';
import type { EnginePool } from './engine-pool.ts';
import { approversOf, isApprover, mayAnswer, promptOnTheWire, type Viewer } from './prompt-view.ts';

type Dependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  engine: Pick<Engine, 'answerPrompt'>;
  enginePool: Pick<EnginePool, 'client'>;
  audit: Pick<AuditLog, 'record'>;
  changes: Pick<Changes, 'announce'>;
  settings: Pick<TenantSettingsPort, 'twoPeopleApprove'>;
  links: AnswerLinkReader;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** What somebody is in the tenant now; undefined for nobody who could sign in. */
  roleOf: (scope: TenantScope, userId: string) => Promise<Role | undefined>;
  now: () => Date;
} & Parameters<typeof destroysBelow>[0];

type PromptPath = { runId: string; promptId: string };
type GivenAnswer = PromptPath & { option: string; comment: string | undefined; token: string | undefined };
type Answerer = Viewer & { scope: TenantScope; requestId: string; context: KeyedRequest['context'] };
/** What is read before the transaction, because it is somewhere else: keys, and what people are now. */
type Before = { link: ReadLink | undefined; lapsed: ApprovalRow | undefined };
type Found = { prompt: Prompt; run: Run };
type Refused = { refused: 'PROMPT_NOT_APPROVER' | 'PROMPT_LINK_INVALID' };

export function createPromptAnswers(deps: Dependencies) {
  async function view(tx: Tx, scope: TenantScope, found: Found, viewer: Viewer): Promise<WirePrompt> {
    const approval = await findApproval(tx, scope, found.prompt.id);
    const isOver = found.prompt.closedAt !== null;
    const takesTwo = isOver ? approval !== undefined : await takesTwoPeople(deps, tx, scope, found);
    return promptOnTheWire({ ...found, viewer, takesTwo, approval });
  }

  async function answerIn(tx: Tx, given: GivenAnswer, by: Answerer, { link, lapsed }: Before) {
    const { scope } = by;
    const found = await find(deps, tx, scope, given);
    if (!mayAnswer(found, by)) return await refuse(deps, tx, given, by, 'PROMPT_NOT_APPROVER');
    if (given.token !== undefined && link?.option !== given.option) {
      return await refuse(deps, tx, given, by, 'PROMPT_LINK_INVALID');
    }
    // A look at many playbooks, perhaps; nothing of the run can change it.
    const takesTwo = given.option !== found.prompt.defaultOption && (await takesTwoPeople(deps, tx, scope, found));
    // Before any lock of our own, in the order of the engine, which takes it again.
    await lockRuns(deps.enginePool.client(tx), [given.runId]);
    if (link && !(await spendLink(tx, scope, { promptId: given.promptId, mark: link.mark, at: deps.now() }))) {
      return await refuse(deps, tx, given, by, 'PROMPT_LINK_INVALID');
    }
    const open = await find(deps, tx, scope, given);
    if (takesTwo) {
      const waits = await approve(tx, open, given, by, lapsed);
      if (waits) return await view(tx, scope, open, by);
    }
    const prompt = await refusingPrompts(() =>
      deps.engine.answerPrompt(deps.enginePool.client(tx), {
        tenantId: scope.tenantId,
        promptId: given.promptId,
        option: given.option,
        username: by.caller.username,
        comment: given.comment ?? null,
      }),
    );
    await deps.audit.record(tx, {
      tenant: scope.tenantId,
      actor: auditActor(by.caller),
      action: 'prompt.answer',
      target: { kind: 'prompt', id: given.promptId },
      outcome: 'ok',
      data: { option: given.option },
      request_id: by.requestId,
    });
    return await view(tx, scope, { ...open, prompt }, by);
  }

  /** True while another person is needed; false when this is the second one. */
  async function approve(
    tx: Tx,
    { prompt }: Found,
    given: GivenAnswer,
    by: Answerer,
    lapsed: ApprovalRow | undefined,
  ): Promise<boolean> {
    const { scope, caller } = by;
    requireAnswerable(prompt, given.option);
    const first = await findApproval(tx, scope, prompt.id);
    const isOwn = first?.user_id === caller.userId;
    if (first && !isOwn && first.user_id !== lapsed?.user_id) {
      if (first.option === given.option) return false;
      const chosen = prompt.options.find(({ value }) => value === first.option)?.label ?? first.option;
      throw new AppError('PROMPT_OTHER_OPTION', {
        ...refusal('ANSWER_OTHER_CHOSEN', { who: first.username, option: chosen }),
        details: [{ path: 'body.option', message: first.option }],
      });
    }
    if (isOwn && first.option === given.option) return true;
    const { option, comment = null } = given;
    const who = { user_id: caller.userId, username: caller.username };
    const which = { tenant_id: scope.tenantId, prompt_id: prompt.id };
    await putApproval(tx, { ...which, ...who, option, comment, approved_at: deps.now() });
    await deps.changes.announce(tx, { tenant: scope.tenantId, kind: 'run', id: prompt.runId });
    await deps.audit.record(tx, {
      tenant: scope.tenantId,
      actor: auditActor(caller),
      action: 'prompt.approve',
      target: { kind: 'prompt', id: prompt.id },
      outcome: 'ok',
      data: { option },
      request_id: by.requestId,
    });
    return true;
  }

  return {
    /** Throws NOT_FOUND. */
    async get(scope: TenantScope, path: PromptPath, viewer: Viewer, token: string | undefined): Promise<WirePrompt> {
      const link = await readLink(deps, scope, path, viewer, token);
      return await deps.db.read(scope.tenantId, async (tx) => {
        const found = await find(deps, tx, scope, path);
        const seen = await view(tx, scope, found, viewer);
        if (token === undefined) return seen;
        const spent = link && (await isLinkSpent(tx, scope, { promptId: path.promptId, mark: link.mark }));
        return { ...seen, link_option: link && !spent ? link.option : null };
      });
    },

    /** Throws what the route lists; the refusals that concern the caller are in the audit log then. */
    async answer(given: GivenAnswer, by: Answerer): Promise<WirePrompt> {
      const link = await readLink(deps, by.scope, given, by, given.token);
      const lapsed = await lapsedApproval(deps, by.scope, given);
      const { tenantId: tenant } = by.scope;
      const request: KeyedRequest = { route: 'prompts.answer', tenant, context: by.context, asked: given };
      const answered = await deps.db.tenant(tenant, (tx) =>
        deps.keyedAnswers.once<WirePrompt | Refused>(
          tx,
          request,
          () => answerIn(tx, given, by, { link, lapsed }),
          // Somebody who may not answer now may be allowed to later.
          (answer) => !('refused' in answer),
        ),
      );
      // Thrown after the commit, because the refused attempt must stay in the audit log.
      if ('refused' in answered) throw new AppError(answered.refused);
      return answered;
    },
  };
}

async function find(
  { enginePool }: Pick<Dependencies, 'enginePool'>,
  tx: Tx,
  scope: TenantScope,
  { runId, promptId }: PromptPath,
): Promise<Found> {
  const sql = enginePool.client(tx);
  const prompt = await findPrompt(sql, { tenantId: scope.tenantId, promptId });
  const run = prompt?.runId === runId ? await findRun(sql, { tenantId: scope.tenantId, runId }) : undefined;
  if (!prompt || !run) throw new AppError('NOT_FOUND', { message: 'This question does not exist.' });
  return { prompt, run };
}

/** A link is for people who have signed in: nothing that a key does comes from one. */
async function readLink(
  { links }: Pick<Dependencies, 'links'>,
  scope: TenantScope,
  { promptId }: PromptPath,
  { caller }: Viewer,
  token: string | undefined,
): Promise<ReadLink | undefined> {
  if (token === undefined || caller.via !== 'session') return undefined;
  return await links.read(token, { tenant: scope.tenantId, prompt: promptId, user: caller.userId });
}

/** Asked when it is answered, so that switching it on counts for what waits already. */
async function takesTwoPeople(
  deps: Dependencies,
  tx: Tx,
  scope: TenantScope,
  { prompt, run }: Found,
): Promise<boolean> {
  if (run.dryRun || !(await deps.settings.twoPeopleApprove(tx, scope.tenantId))) return false;
  const sql = deps.enginePool.client(tx);
  return await destroysBelow(deps, tx, { sql, scope, runId: run.id, actionId: prompt.actionId });
}

/**
 * The first one's choice where whoever made it has lost the right to: it counts for nothing then. Not asked inside the
 * transaction of the answer, which holds the run: who somebody is, is read by another connection.
 */
async function lapsedApproval(
  deps: Pick<Dependencies, 'db' | 'enginePool' | 'roleOf'>,
  scope: TenantScope,
  path: PromptPath,
): Promise<ApprovalRow | undefined> {
  const kept = await deps.db.read(scope.tenantId, async (tx) => {
    const approval = await findApproval(tx, scope, path.promptId);
    return approval && { approval, ...(await find(deps, tx, scope, path)) };
  });
  if (kept === undefined) return undefined;
  const { approval, prompt } = kept;
  const role = await deps.roleOf(scope, approval.user_id);
  if (role !== undefined && isApprover(approversOf(prompt), { username: approval.username, role })) return undefined;
  return approval;
}

async function refuse(
  { audit }: Pick<Dependencies, 'audit'>,
  tx: Tx,
  { promptId }: PromptPath,
  { scope, caller, requestId }: Answerer,
  code: Refused['refused'],
): Promise<Refused> {
  await audit.record(tx, {
    tenant: scope.tenantId,
    actor: auditActor(caller),
    action: 'prompt.answer',
    target: { kind: 'prompt', id: promptId },
    outcome: 'refused',
    code,
    request_id: requestId,
  });
  return { refused: code };
}

/**
 * What the engine would say, for a choice that does not reach it yet. Whether the time is over it says by its own clock, with the
 * second choice or by closing the question.
 */
function requireAnswerable(prompt: Prompt, option: string): void {
  if (prompt.answered) throw new AppError('PROMPT_ALREADY_ANSWERED');
  if (prompt.closedAt) throw new AppError('PROMPT_CLOSED');
  if (!prompt.options.some(({ value }) => value === option)) throw new AppError('PROMPT_OPTION_UNKNOWN');
}

const promptRefusals = {
  PROMPT_ALREADY_ANSWERED: 'PROMPT_ALREADY_ANSWERED',
  PROMPT_OPTION_UNKNOWN: 'PROMPT_OPTION_UNKNOWN',
  PROMPT_EXPIRED: 'PROMPT_CLOSED',
  PROMPT_CLOSED: 'PROMPT_CLOSED',
  PROMPT_NOT_FOUND: 'NOT_FOUND',
} as const;

async function refusingPrompts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && Object.hasOwn(promptRefusals, error.code)) {
      throw new AppError(promptRefusals[error.code as keyof typeof promptRefusals], { cause: error });
    }
    throw error;
  }
}
