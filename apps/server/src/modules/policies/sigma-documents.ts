import { policyRuleSchema } from '@airdeck/contracts/policies/schema';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { importSigma, type SigmaOutcome } from '@airdeck/detection/sigma/sigma-import';
import type { SigmaFile } from '@airdeck/domain/sigma-documents';

export type SigmaOrder = { readonly files: readonly SigmaFile[]; readonly license?: string };

/** Reads all documents of all files. Takes a millisecond or more per rule: at home in a thread of its own. */
export function readSigma({ files, license }: SigmaOrder): SigmaOutcome[] {
  return importSigma(files, license === undefined ? {} : { license }).map(runnable);
}

/** A rule may be sound and still hold more than a policy takes. */
function runnable(outcome: SigmaOutcome): SigmaOutcome {
  if (outcome.status !== 'imported') return outcome;
  const { file, id, title, policy } = outcome;
  const parsed = policyRuleSchema.safeParse(policy);
  const reason = parsed.success ? validatePolicy(policy)[0]?.message : parsed.error.issues[0]?.message;
  return reason === undefined
    ? outcome
    : { file, id, title, status: 'failed', reason: `The policy it makes cannot run: ${reason}` };
}
