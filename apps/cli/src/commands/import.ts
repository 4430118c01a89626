import type { ErrorBody } from '@airdeck/contracts/error-codes';
import { type SigmaImported, sigmaImportedSchema, sigmaImportLimits } from '@airdeck/contracts/policies/import-schema';
import { importSigma, type SigmaFile } from '@airdeck/detection/sigma/sigma-import';
import type { Command } from 'commander';
import { CommandError, inputError } from '../command-error.ts';
import { reach } from '../local-stage.ts';
import { type Server, serverFor } from '../server-access.ts';
import { readSigmaFiles } from '../sigma-files.ts';
import { portionsOf } from '../sigma-portions.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { tenant?: string; dryRun?: true; replace?: true; license?: string; json?: true };
type Answer = Pick<SigmaImported['rules'][number], 'file' | 'id' | 'title' | 'status' | 'reason'>;
type Order = { tenant: string; replace: boolean; license: string | undefined };

export function addImport(program: Command, surroundings: Surroundings, setExitCode: (code: number) => void): void {
  const command = program.command('import').description('bring in content written elsewhere');
  command
    .command('sigma')
    .description('import Sigma rules, switched off, and say rule by rule what became of them')
    .argument('<path>', 'a rule, a folder or a zip')
    .option('--tenant <id>', 'tenant the rules are for; a dry run needs none')
    .option('--dry-run', 'only say what could be taken, without a server')
    .option('--replace', 'give policies of the same rules their new text')
    .option('--license <name>', 'license of rules that name none themselves')
    .option('--json', 'one line of JSON per rule')
    .action(async (path: string, { tenant, dryRun, replace, license, json }: Options) => {
      const isDry = dryRun === true;
      const files = await readSigmaFiles(path);
      const answers = isDry
        ? tried(files, license)
        : await stored(surroundings, files, { tenant: needed(tenant), replace: replace === true, license });
      report(surroundings, answers, { asJson: json === true, isDry });
      // The input could be read, and the answer is that none of it can be used.
      if (answers.every(({ status }) => status === 'failed')) setExitCode(1);
      if (isDry && !answers.some(({ status }) => status === 'imported')) setExitCode(1);
    });
}

function needed(tenant: string | undefined): string {
  if (tenant !== undefined) return tenant;
  throw inputError('USAGE', 'Name the tenant with --tenant, or add --dry-run to see what would be taken.');
}

function tried(files: readonly SigmaFile[], license: string | undefined): Answer[] {
  return importSigma(files, license === undefined ? {} : { license }).map((outcome) => {
    const { file, id, title, status } = outcome;
    return { file, id, title, status, ...(outcome.status === 'imported' ? {} : { reason: outcome.reason }) };
  });
}

/** Portion by portion; what was stored before one is refused stays, and the same command again goes on after it. */
async function stored(surroundings: Surroundings, files: readonly SigmaFile[], order: Order): Promise<Answer[]> {
  const server = await serverFor(surroundings, order.tenant);
  const isTooLong = ({ text }: SigmaFile) => text.length > sigmaImportLimits.fileChars;
  const answers: Answer[] = [];
  for (const portion of portionsOf(files)) {
    for (const { name: file } of portion.filter(isTooLong)) {
      const reason = `A rule has at most ${sigmaImportLimits.fileChars} characters.`;
      answers.push({ file, id: '', title: '', status: 'failed', reason });
    }
    const sent = portion.filter((file) => !isTooLong(file));
    if (sent.length > 0) answers.push(...(await send(surroundings, server, sent, order)));
  }
  return answers;
}

async function send(
  { fetch }: Pick<Surroundings, 'fetch'>,
  { url, token }: Server,
  files: readonly SigmaFile[],
  { tenant, replace, license }: Order,
): Promise<Answer[]> {
  const named = files.map(({ name, text }) => ({ name: name.slice(-500), text }));
  const answer = await reach(url, () =>
    fetch(new URL(`/api/tenants/${encodeURIComponent(tenant)}/soar/rules/import`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ files: named, replace, ...(license === undefined ? {} : { license }) }),
    }),
  );
  if (!answer.ok) {
    const body = (await answer.json().catch(() => ({}))) as Partial<ErrorBody>;
    throw new CommandError(body.code ?? 'REFUSED', body.message ?? `The server answered ${answer.status}.`);
  }
  const parsed = sigmaImportedSchema.safeParse(await answer.json());
  if (!parsed.success)
    throw new CommandError('ANSWER_UNREADABLE', 'The server answered something else than an import.');
  return parsed.data.rules;
}

function report(
  { result, say }: Surroundings,
  answers: readonly Answer[],
  { asJson, isDry }: { asJson: boolean; isDry: boolean },
): void {
  for (const { id, title, status, reason, file } of answers) {
    const why = reason === undefined ? {} : { reason };
    if (asJson) result(JSON.stringify({ id, title, status, ...why }));
    else result(`${status.padEnd(8)} ${title || id || file}${reason === undefined ? '' : `: ${reason}`}`);
  }
  const count = (wanted: Answer['status']) => answers.filter(({ status }) => status === wanted).length;
  const taken = isDry ? 'can be taken' : 'imported, switched off';
  say(`${count('imported')} ${taken}, ${count('skipped')} are skipped, ${count('failed')} failed.`);
}
