import { type SigmaImported, sigmaImportedSchema } from '@airdeck/contracts/policies/import-schema';
import { importSigma } from '@airdeck/detection/sigma/sigma-import';
import {
  SIGMA_DOCUMENTS_MAX,
  type SigmaFile,
  type SigmaPiece,
  sigmaPieceLimits,
} from '@airdeck/domain/sigma-documents';
import { sigmaPortions } from '@airdeck/domain/sigma-portions';
import type { Command } from 'commander';
import { inputError } from '../command-error.ts';
import { ask, plainWords, type Refusal, type Server, serverFor } from '../server-access.ts';
import { readSigmaFiles } from '../sigma-files.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { tenant?: string; dryRun?: true; replace?: true; confirm?: true; license?: string; json?: true };
type Answer = Pick<SigmaImported['rules'][number], 'file' | 'id' | 'title' | 'status' | 'reason'>;
type Order = { tenant: string; replace: boolean; confirms: boolean; license: string | undefined };

export function addImport(program: Command, surroundings: Surroundings, setExitCode: (code: number) => void): void {
  const command = program.command('import').description('bring in content written elsewhere');
  command
    .command('sigma')
    .description('import Sigma rules, switched off, and say rule by rule what became of them')
    .argument('<path>', 'a rule, a folder or a zip')
    .option('--tenant <id>', 'tenant the rules are for; a dry run needs none')
    .option('--dry-run', 'only say what could be taken, without a server')
    .option('--replace', 'give policies of the same rules their new text')
    .option(
      '--confirm',
      'with --replace: go on where the server asks about policies that would match nearly everything',
    )
    .option('--license <name>', 'license of rules that name none themselves')
    .option('--json', 'one line of JSON per rule')
    .action(async (path: string, { tenant, dryRun, license, json, ...options }: Options) => {
      const isDry = dryRun === true;
      const [replace, confirms] = [options.replace === true, options.confirm === true];
      const files = await readSigmaFiles(path);
      const answers: Answer[] = [];
      const how = { asJson: json === true, taken: takenWords(isDry, replace) };
      try {
        const portions = isDry
          ? tried(files, { replace, license })
          : stored(surroundings, files, { tenant: needed(tenant), replace, confirms, license });
        for await (const portion of portions) answers.push(...portion);
      } catch (error) {
        if (answers.length > 0) report(surroundings, answers, { ...how, isStopped: true });
        throw error;
      }
      report(surroundings, answers, how);
      // The input could be read, and the answer is that none of it can be used.
      if (answers.every(({ status }) => status === 'failed')) setExitCode(1);
      if (isDry && !answers.some(({ status }) => status === 'imported')) setExitCode(1);
    });
}

function needed(tenant: string | undefined): string {
  if (tenant !== undefined) return tenant;
  throw inputError('USAGE', 'Name the tenant with --tenant, or add --dry-run to see what would be taken.');
}

/** What the server would make of the same portions. */
function* tried(files: readonly SigmaFile[], { replace, license }: Pick<Order, 'replace' | 'license'>) {
  const fileById = new Map<string, string>();
  for (const { sent, refused } of fitting(files)) {
    const outcomes = importSigma(sent, license === undefined ? {} : { license }).map((outcome): Answer => {
      const { file, id, title, status } = outcome;
      if (outcome.status !== 'imported') return { file, id, title, status, reason: outcome.reason };
      const before = fileById.get(id.toLowerCase());
      if (before === undefined || replace) return { file, id, title, status };
      return { file, id, title, status: 'skipped', reason: `A policy of this rule is there then, from ${before}.` };
    });
    for (const { file, id, status } of outcomes)
      if (status === 'imported' && id !== '') fileById.set(id.toLowerCase(), file);
    yield [...refused, ...outcomes];
  }
}

/** Portion by portion; what was stored before one is refused stays, and the same command again goes on after it. */
async function* stored(
  surroundings: Surroundings,
  files: readonly SigmaFile[],
  order: Order,
): AsyncGenerator<Answer[]> {
  const server = await serverFor(surroundings, order.tenant);
  for (const { sent, refused } of fitting(files)) {
    yield refused;
    if (sent.length > 0) yield await send(surroundings, server, sent, order);
  }
}

/** The portions to send, without the files no call takes: those must not keep the others out. */
function fitting(files: readonly SigmaFile[]): { sent: SigmaFile[]; refused: Answer[] }[] {
  return sigmaPortions(files).map((portion) => ({
    sent: portion.filter(({ problem }) => problem === undefined),
    refused: portion.flatMap(({ name: file, problem }): Answer[] =>
      problem === undefined ? [] : [{ file, id: '', title: '', status: 'failed', reason: problemWords[problem] }],
    ),
  }));
}

const problemWords: Readonly<Record<NonNullable<SigmaPiece['problem']>, string>> = {
  too_many_documents: `More than ${SIGMA_DOCUMENTS_MAX} documents in one file.`,
  too_long: `A rule has at most ${sigmaPieceLimits.chars} characters.`,
  too_large: `As JSON a rule has at most ${sigmaPieceLimits.bytes} bytes.`,
};

async function send(
  surroundings: Surroundings,
  server: Server,
  files: readonly SigmaFile[],
  { tenant, replace, confirms, license }: Order,
): Promise<Answer[]> {
  const named = files.map(({ name, text }) => ({ name: name.slice(-500), text }));
  const { rules } = await ask(surroundings, server, {
    path: `/api/tenants/${encodeURIComponent(tenant)}/soar/rules/import`,
    body: { files: named, replace, ...(license === undefined ? {} : { license }) },
    schema: sigmaImportedSchema,
    kind: 'an import',
    words: (refusal) => questionIn(refusal, confirms) ?? plainWords(refusal),
    ...(confirms ? { confirmed: ({ text }) => surroundings.say(`Confirmed: ${text}`) } : {}),
  });
  return rules;
}

/** Asked before policies that are on get rules that match nearly everything. */
function questionIn({ confirm }: Refusal, isConfirmed: boolean): string | undefined {
  if (confirm === undefined) return undefined;
  const way = isConfirmed
    ? 'it was confirmed, and the policies have changed meanwhile. Run the command again.'
    : 'run the command with --confirm if you mean it, or switch those policies off.';
  return `${confirm.text} Nothing of this portion was imported: ${way}`;
}

/** Policies that were there stay on or off as they were. */
function takenWords(isDry: boolean, replace: boolean): string {
  if (isDry) return 'can be taken';
  return replace ? 'imported, new ones switched off' : 'imported, switched off';
}

function report(
  { result, say }: Surroundings,
  answers: readonly Answer[],
  { asJson, taken, isStopped = false }: { asJson: boolean; taken: string; isStopped?: boolean },
): void {
  for (const { id, title, status, reason, file } of answers) {
    const why = reason === undefined ? {} : { reason };
    if (asJson) result(JSON.stringify({ id, title, status, ...why }));
    else result(`${status.padEnd(8)} ${title || id || file}${reason === undefined ? '' : `: ${reason}`}`);
  }
  const count = (wanted: Answer['status']) => answers.filter(({ status }) => status === wanted).length;
  const upTo = isStopped ? 'Before it stopped: ' : '';
  say(`${upTo}${count('imported')} ${taken}, ${count('skipped')} are skipped, ${count('failed')} failed.`);
}
