import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';

const RULES = 3000;
const SEED = 20_261_121;

const units = {
  rules: 'rules',
  imported_share: '',
  import_s: 's',
  load_s: 's',
  memory_mb: 'MB',
  structured_per_s: 'events/s',
  raw_per_s: 'events/s',
  naive_structured_per_s: 'events/s',
  naive_ratio: 'x',
  matches_per_1000: 'matches',
};

/** Rounds of detection alone, on one thread; events are the simulator's, with Sysmon's and a Linux server's beside them. */
export async function runDetect({ full }) {
  const { createDraw, createVocabulary, sigmaShapedRules, sysmonLines, syslogLines } = await importSource(
    'packages/detection/bench/sigma-shaped-rules.ts',
  );
  const { runDetectBench } = await importSource('packages/detection/bench/detect-bench.ts');
  const { parseRecord } = await importSource('packages/event-parsers/src/parse-record.ts');
  const draw = createDraw(SEED);
  const words = createVocabulary(draw);
  const rules = sigmaShapedRules(draw, words, RULES);
  const company = await companyRecords();
  const parsed = (lines) => lines.map((line) => parseRecord(line, { receivedAt: Date.now() }));
  const ofTransport = (transport) => company.filter((one) => one.transport === transport).map(({ line }) => line);
  const structured = shuffled(draw, parsed([...sysmonLines(draw, words, 3000), ...ofTransport('http').slice(0, 1000)]));
  const raw = shuffled(draw, parsed([...ofTransport('syslog').slice(0, 3000), ...syslogLines(draw, words, 1000)]));
  const options = { rules, structured, raw, naiveEvents: full ? 500 : 100, seconds: full ? 5 : 2 };
  const rounds = [];
  for (let round = 0; round < (full ? 5 : 3); round++) rounds.push(runDetectBench(options));
  return figuresOf(rounds, units);
}

/** A busy day of the synthetic company, attacks included. */
async function companyRecords() {
  const { createTimeline } = await importSource('packages/simulator/src/timeline.ts');
  const timeline = createTimeline({ seed: 'detect', ratePerSecond: 2, scenarios: { everyMinutes: 30 } });
  const start = Date.parse('2026-11-19T08:00:00Z');
  return timeline.recordsBetween(start, start + 2 * 3_600_000);
}

function shuffled(draw, items) {
  const list = [...items];
  for (let at = list.length - 1; at > 0; at--) {
    const other = draw.below(at + 1);
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
}
