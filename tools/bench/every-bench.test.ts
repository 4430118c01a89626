import { describe, expect, it } from 'vitest';
import { resultLines, runEveryBench } from './every-bench.mjs';

const scripts: Readonly<Record<string, string>> = {
  good: `console.log('words'); console.log(JSON.stringify({ metrics: { speed: { value: 3, unit: '/s', spread: 0 } } }))`,
  bad: `console.log('words'); process.exit(3)`,
  over: `console.log(JSON.stringify({ metrics: { speed: { value: 1, unit: '/s', spread: 0 } } })); process.exit(1)`,
  hangs: `setInterval(() => undefined, 1000)`,
};

describe('running every bench', () => {
  it('goes on after one that fails and one that hangs', async () => {
    const said: string[] = [];
    const results = await runEveryBench(['bad', 'hangs', 'over', 'good'], {
      command: (name: string) => [process.execPath, '-e', scripts[name] ?? ''],
      atMostMs: 3_000,
      say: (line: string) => said.push(line.trim()),
    });
    expect(said).toEqual(['bad (1 of 4)', 'hangs (2 of 4)', 'over (3 of 4)', 'good (4 of 4)']);
    expect(results).toEqual([
      { name: 'bad', error: 'ended with 3 and no figures' },
      { name: 'hangs', error: 'not done after 3 s' },
      { name: 'over', metrics: { speed: { value: 1, unit: '/s', spread: 0 } } },
      { name: 'good', metrics: { speed: { value: 3, unit: '/s', spread: 0 } } },
    ]);
    const limits = { speed: { atLeast: 2 } };
    const lines = resultLines(results, { over: { limits }, good: { limits } });
    expect(lines).toHaveLength(8);
    expect(lines[1]).toBe('  FAILED: ended with 3 and no figures');
    expect(lines[5]).toContain('OVER THE LIMIT');
    expect(lines[7]).toMatch(/≥ 2 +ok$/);
  });
});
