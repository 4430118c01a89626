import type { SigmaImported } from '@airdeck/contracts/policies/import-schema';
import { sigmaPortions } from '@airdeck/domain/sigma-portions';
import { confirmed } from '../../../components/confirmation/use-confirmed-mutation.ts';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { importPortion } from '../../../queries/policies.ts';
import type { RuleFile } from './read-files.ts';

export type ImportChoices = { license: string; replace: boolean };
export type ImportedRule = SigmaImported['rules'][number];

export type Done = { files: number; rules: readonly ImportedRule[] };

type Run = {
  files: readonly RuleFile[];
  choices: ImportChoices;
  dryRun: boolean;
  /** Names what a person means: sent again after a failure, portions that are stored are not stored twice. */
  intent: string;
  signal: AbortSignal;
  /** After each portion: how many files are done, and what became of their rules. */
  onProgress: (done: Done) => void;
};

/** Sends files in portions, one after the other; what was stored before a failure stays stored. */
export async function runImport(tenantApi: TenantApi, run: Run): Promise<ImportedRule[]> {
  const rules: ImportedRule[] = [];
  let done = 0;
  for (const [index, files] of sigmaPortions(run.files).entries()) {
    const license = run.choices.license.trim();
    const body = {
      files,
      dry_run: run.dryRun,
      replace: run.choices.replace,
      ...(license === '' ? {} : { license }),
    };
    const answer = await confirmed((controls) =>
      importPortion(tenantApi, body, { ...controls, signal: run.signal, idempotencyKey: `${run.intent}-${index}` }),
    );
    rules.push(...answer.rules);
    done += files.length;
    run.onProgress({ files: done, rules: [...rules] });
  }
  return rules;
}
