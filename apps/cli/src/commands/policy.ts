import type { Command } from 'commander';
import { type Trial, tryPolicy } from '../policy-trial.ts';
import { readRuleFile, readText } from '../rule-file.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { rule: string; events: string; json?: true };

export function addPolicy(program: Command, surroundings: Surroundings): void {
  const policy = program.command('policy').description('work on policies without a server');
  policy
    .command('test')
    .description('hold one rule against events and say what matches and which cases it would open')
    .requiredOption('--rule <file>', 'a Sigma rule (.yml) or a policy (.json)')
    .requiredOption('--events <file>', 'one event per line, as the source writes it')
    .option('--json', 'one line of JSON per event, then the summary')
    .action(async ({ rule: rulePath, events, json }: Options) => {
      const rule = await readRuleFile(rulePath);
      const lines = (await readText(events)).split('\n');
      report(surroundings, tryPolicy(rule, lines, surroundings.now()), json === true);
    });
}

function report({ result }: Surroundings, { lines, summary }: Trial, asJson: boolean): void {
  if (asJson) {
    for (const line of lines) result(JSON.stringify(line));
    result(JSON.stringify({ summary }));
    return;
  }
  for (const { line, matched } of lines) if (matched) result(`line ${line} matches`);
  for (const { group, events } of summary.cases) {
    const values = Object.entries(group).map(([name, value]) => `${name} ${value}`);
    result(`case${values.length === 0 ? '' : ` of ${values.join(', ')}`}: ${events} events`);
  }
  result(`${summary.matched} of ${summary.events} events match; ${summary.cases.length} cases`);
}
