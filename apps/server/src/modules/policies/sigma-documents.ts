import { policyRuleSchema } from '@airdeck/contracts/policies/schema';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { importSigma, type SigmaFile, type SigmaOutcome } from '@airdeck/detection/sigma/sigma-import';
import { SigmaProblem } from '@airdeck/detection/sigma/sigma-problem';
import { splitDocuments } from '@airdeck/detection/sigma/sigma-yaml';

export type SigmaOrder = { readonly files: readonly SigmaFile[]; readonly license?: string };

/** What became of one document, with its text. */
export type SigmaDocument = SigmaOutcome & { readonly text: string };

/** Reads all documents of all files. Takes a millisecond or more per rule: at home in a thread of its own. */
export function readSigma({ files, license }: SigmaOrder): SigmaDocument[] {
  const outcomes = importSigma(files, license === undefined ? {} : { license });
  const texts = files.flatMap(({ text }) => textsOf(text));
  return outcomes.map((outcome, index) => ({ ...runnable(outcome), text: texts[index] ?? '' }));
}

/** One per outcome: a file that cannot be split, or holds nothing, has one. */
function textsOf(text: string): string[] {
  try {
    const parts = splitDocuments(text);
    return parts.length === 0 ? [text] : parts;
  } catch (error) {
    if (error instanceof SigmaProblem) return [text];
    throw error;
  }
}

/** A rule may be sound and still hold more than a policy takes. */
function runnable(outcome: SigmaOutcome): SigmaOutcome {
  if (outcome.status !== 'imported') return outcome;
  const { policy, ...about } = outcome;
  const parsed = policyRuleSchema.safeParse(policy);
  const reason = parsed.success ? validatePolicy(policy)[0]?.message : parsed.error.issues[0]?.message;
  return reason === undefined
    ? outcome
    : { ...about, status: 'failed', reason: `The policy it makes cannot run: ${reason}` };
}
