import type { SigmaImported } from '@airdeck/contracts/policies/import-schema';
import type { TenantApi } from '../../../lib/tenant-api.ts';
import { importPortion } from '../../../queries/policies.ts';
import { portionsOf } from './portions.ts';
import type { RuleFile } from './read-files.ts';

export type ImportChoices = { license: string; replace: boolean };
export type ImportedRule = SigmaImported['rules'][number];

type Run = {
  files: readonly RuleFile[];
  choices: ImportChoices;
  dryRun: boolean;
  signal: AbortSignal;
  /** After each portion: how many files are done. */
  onProgress: (done: number) => void;
};

/** Sends files in portions, one after the other; what was stored before a failure stays stored. */
export async function runImport(tenantApi: TenantApi, run: Run): Promise<ImportedRule[]> {
  const rules: ImportedRule[] = [];
  let done = 0;
  for (const files of portionsOf(run.files)) {
    const license = run.choices.license.trim();
    const answer = await importPortion(
      tenantApi,
      {
        files: [...files],
        dry_run: run.dryRun,
        replace: run.choices.replace,
        ...(license === '' ? {} : { license }),
      },
      run.signal,
    );
    rules.push(...answer.rules);
    done += files.length;
    run.onProgress(done);
  }
  return rules;
}
