import { importSigma, type SigmaOutcome } from '@airdeck/detection/sigma/sigma-import';
import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { readSigmaFiles } from '../sigma-files.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { dryRun?: true; license?: string; json?: true };

export function addImport(program: Command, surroundings: Surroundings, setExitCode: (code: number) => void): void {
  const command = program.command('import').description('bring in content written elsewhere');
  command
    .command('sigma')
    .description('say rule by rule which Sigma rules can be taken, and why others cannot')
    .argument('<path>', 'a rule, a folder or a zip')
    .option('--tenant <id>', 'tenant the rules are meant for; a dry run needs none')
    .option('--dry-run', 'only say what would be taken; nothing else is done yet')
    .option('--license <name>', 'licence of rules that name none themselves')
    .option('--json', 'one line of JSON per rule')
    .action(async (path: string, { dryRun, license, json }: Options) => {
      if (dryRun !== true)
        throw inputError('USAGE', 'Rules are not stored yet: add --dry-run to see what would be taken.');
      const outcomes = importSigma(await readSigmaFiles(path), license === undefined ? {} : { license });
      report(surroundings, outcomes, json === true);
      // The input could be read, and the answer is that none of it can be used.
      if (!outcomes.some(({ status }) => status === 'imported')) setExitCode(1);
    });
}

function report({ result, say }: Surroundings, outcomes: readonly SigmaOutcome[], asJson: boolean): void {
  for (const outcome of outcomes) {
    const { id, title, status, file } = outcome;
    const reason = outcome.status === 'imported' ? {} : { reason: outcome.reason };
    if (asJson) result(JSON.stringify({ id, title, status, ...reason }));
    else result(`${status.padEnd(8)} ${title || id || file}${reason.reason === undefined ? '' : `: ${reason.reason}`}`);
  }
  const count = (wanted: SigmaOutcome['status']) => outcomes.filter(({ status }) => status === wanted).length;
  say(`${count('imported')} can be taken, ${count('skipped')} are skipped, ${count('failed')} failed.`);
}
