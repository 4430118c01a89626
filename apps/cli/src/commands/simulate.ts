import { rhythmAt } from '@airdeck/simulator/daily-rhythm';
import { createFeed, type Feed } from '@airdeck/simulator/feed';
import { findScenario, scenarioList } from '@airdeck/simulator/scenarios/scenario-list';
import type { Command } from 'commander';
import { attributedSyslog } from '../attributed-syslog.ts';
import { inputError } from '../command-error.ts';
import { type DemoSource, type DemoWorkspace, readDemoWorkspace } from '../demo-workspace.ts';
import { createHttpDoor, openSyslogDoor } from '../source-doors.ts';
import type { Surroundings } from '../surroundings.ts';

type Options = { tenant: string; scenario?: string; rate: number; duration?: number; json?: true };

const scenarioNames = scenarioList.map(({ name }) => name).join(', ');

export function addSimulate(program: Command, surroundings: Surroundings): void {
  program
    .command('simulate')
    .description('feed synthetic events and attack scenarios to the running server through its real doors')
    .requiredOption('--tenant <id>', 'tenant of the demo workspace, by id or name')
    .option('--scenario <name>', `play one scenario and end: ${scenarioNames}`)
    .option('--rate <n>', 'everyday events per second', positiveNumber, 5)
    .option('--duration <s>', 'end after this many seconds; without it, on Ctrl-C', positiveNumber)
    .option('--json', 'answer as JSON')
    .action((options: Options) => simulate(surroundings, options));
}

async function simulate(surroundings: Surroundings, options: Options): Promise<void> {
  if (options.scenario !== undefined && findScenario(options.scenario) === undefined) {
    throw inputError('SCENARIO_UNKNOWN', `There is no scenario "${options.scenario}"; there is ${scenarioNames}.`);
  }
  const workspace = await readDemoWorkspace(surroundings.env);
  const sources = sourcesOf(workspace, options.tenant);
  const http = createHttpDoor(surroundings, workspace.url, sources.http);
  const syslog = await openSyslogDoor(new URL(workspace.url).hostname, workspace.ports.syslog_tcp);
  let failure: unknown;
  const feed = createFeed({
    // A seed per run: two runs at once would otherwise send the same events twice.
    seed: `cli ${surroundings.now()}`,
    clock: () => new Date(surroundings.now()),
    // The feed's rate is that of the busiest hour; here it is meant as of now, at night too.
    ratePerSecond: options.rate / rhythmAt(new Date(surroundings.now())),
    deliver: { http, syslog: (line) => syslog.send(attributedSyslog(line, sources.syslog.token, surroundings.now())) },
    onError: (error) => {
      failure ??= error;
    },
  });
  let facts: Record<string, string | number>;
  try {
    if (options.scenario === undefined) {
      await feedFor(surroundings, feed, options.duration);
      const { delivered, failed } = feed.stats();
      facts = { delivered, failed };
    } else facts = await feed.runScenario(options.scenario);
  } finally {
    await syslog.close().catch((error: unknown) => {
      failure ??= error;
    });
  }
  // A scenario is told as sent only when all of it was; a feed says how far it came.
  if (failure === undefined || options.scenario === undefined) report(surroundings, options, facts);
  if (failure !== undefined) throw failure;
}

async function feedFor({ say, wait, interrupted }: Surroundings, feed: Feed, seconds: number | undefined) {
  say(seconds === undefined ? 'Feeding events; Ctrl-C ends it.' : `Feeding events for ${seconds} s.`);
  feed.start();
  // Without a duration only Ctrl-C ends the wait; the number is the longest a timer takes.
  await wait(seconds === undefined ? 2 ** 31 - 1 : seconds * 1000, interrupted);
  await feed.stop();
}

function report({ result }: Surroundings, { json }: Options, facts: Record<string, string | number>): void {
  const words = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  result(json ? JSON.stringify(facts) : words.join(', '));
}

function sourcesOf(workspace: DemoWorkspace, wanted: string): { http: DemoSource; syslog: DemoSource } {
  const tenant = workspace.tenants.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.toLowerCase());
  if (tenant === undefined) {
    const known = workspace.tenants.map(({ id, name }) => `${name} (${id})`).join(', ');
    throw inputError('TENANT_UNKNOWN', `There is no demo tenant "${wanted}"; there is ${known}.`);
  }
  const ofKind = (kind: string) => {
    const source = workspace.sources.find((one) => one.tenant === tenant.id && one.kind === kind);
    if (source === undefined) throw inputError('SOURCE_MISSING', `${tenant.name} has no event source of kind ${kind}.`);
    return source;
  };
  return { http: ofKind('ndjson'), syslog: ofKind('syslog') };
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 1_000_000)) throw inputError('USAGE', `"${text}" is not a number above 0.`);
  return value;
}
