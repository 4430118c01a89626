import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type PolicyRule, policyRuleSchema } from '@airdeck/contracts/policies/schema';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { importSigma } from '@airdeck/detection/sigma/sigma-import';
import { CommandError, inputError } from './command-error.ts';

/** The one policy a file holds: a Sigma rule, or a policy as JSON. Throws `CommandError` with the reason. */
export async function readRuleFile(path: string): Promise<PolicyRule> {
  const text = await readText(path);
  return extname(path).toLowerCase() === '.json' ? fromJson(text) : fromSigma(path, text);
}

/** Throws `CommandError` when the file cannot be read. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError('FILE_UNREADABLE', `${path} cannot be read.`, { exitCode: 2, cause: error });
  }
}

function fromSigma(path: string, text: string): PolicyRule {
  const outcomes = importSigma([{ name: path, text }]);
  const [taken, second] = outcomes.flatMap((outcome) => (outcome.status === 'imported' ? [outcome.policy] : []));
  if (second !== undefined) throw inputError('RULE_AMBIGUOUS', `${path} holds several rules; test one at a time.`);
  if (taken !== undefined) return taken;
  const reasons = outcomes.map((outcome) => (outcome.status === 'imported' ? '' : outcome.reason));
  throw inputError('RULE_NOT_TAKEN', reasons.join(' '));
}

function fromJson(text: string): PolicyRule {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError('RULE_NOT_TAKEN', 'The file is not JSON.', { exitCode: 2, cause: error });
  }
  // A policy as the API answers it holds its rule; the rule alone is taken as well.
  const holder = typeof value === 'object' && value !== null && 'rule' in value ? value.rule : value;
  const parsed = policyRuleSchema.safeParse(holder);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw ruleProblem(issue?.path.join('.') ?? '', issue?.message ?? 'It is not a policy.');
  }
  const [problem] = validatePolicy(parsed.data);
  if (problem !== undefined) throw ruleProblem(problem.path, problem.message);
  return parsed.data;
}

function ruleProblem(path: string, message: string): CommandError {
  return new CommandError('RULE_NOT_TAKEN', `${path}: ${message}`, { exitCode: 2, path });
}
