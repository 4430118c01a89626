import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultLines, runEveryBench } from './every-bench.mjs';

const scripts: Readonly<Record<string, string>> = {
  good: `console.log('words'); console.log(JSON.stringify({ metrics: { speed: { value: 3, unit: '/s', spread: 0 } }, worse: [] }))`,
  bad: `console.log('words'); process.exit(3)`,
  over: `console.log(JSON.stringify({ metrics: { speed: { value: 1, unit: '/s', spread: 0 } }, worse: ['speed: 3 to 1 /s'] })); process.exit(1)`,
  asked: `process.on('SIGTERM', () => process.exit(130)); setInterval(() => undefined, 1000)`,
  killed: `process.kill(process.pid, 'SIGKILL')`,
  hangs: `setInterval(() => undefined, 1000)`,
};

describe('running every bench', () => {
  it('goes on after one that fails and one that hangs', async () => {
    const said: string[] = [];
    const killed: string[] = [];
    const results = await runEveryBench(['bad', 'hangs', 'over', 'good'], {
      command: (name: string) => [process.execPath, '-e', scripts[name] ?? ''],
      atMostMs: 3_000,
      say: (line: string) => said.push(line.trim()),
      whenKilled: (name, error) => killed.push(`${name}: ${error}`),
    });
    // Those that end by themselves have written their line.
    expect(killed).toEqual(['hangs: not done after 3 s']);
    expect(said).toEqual(['bad (1 of 4)', 'hangs (2 of 4)', 'over (3 of 4)', 'good (4 of 4)']);
    expect(results).toEqual([
      { name: 'bad', error: 'ended with 3 and no figures' },
      { name: 'hangs', error: 'not done after 3 s' },
      { name: 'over', metrics: { speed: { value: 1, unit: '/s', spread: 0 } }, worse: ['speed: 3 to 1 /s'] },
      { name: 'good', metrics: { speed: { value: 3, unit: '/s', spread: 0 } }, worse: [] },
    ]);
    const limits = { speed: { atLeast: 2 } };
    const lines = resultLines(results, { over: { limits }, good: { limits } });
    expect(lines).toHaveLength(9);
    expect(lines[1]).toBe('  FAILED: ended with 3 and no figures');
    expect(lines[5]).toContain('OVER THE LIMIT');
    expect(lines[6]).toBe('  WORSE: speed: 3 to 1 /s');
    expect(lines[8]).toMatch(/≥ 2 +ok$/);
  });

  it('leaves the line of its history to one that ends when asked, not to one that is killed', async () => {
    const killed: string[] = [];
    const results = await runEveryBench(['asked', 'killed'], {
      command: (name: string) => [process.execPath, '-e', scripts[name] ?? ''],
      atMostMs: 2_000,
      say: () => undefined,
      whenKilled: (name, error) => killed.push(`${name}: ${error}`),
    });
    expect(results).toEqual([
      { name: 'asked', error: 'not done after 2 s' },
      { name: 'killed', error: 'ended by SIGKILL' },
    ]);
    expect(killed).toEqual(['killed: ended by SIGKILL']);
  });

  it('does not wait for what a bench that hangs has left behind with its output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'airdeck-benches-'));
    const pidFile = JSON.stringify(join(folder, 'pid'));
    const stdio = `{ stdio: ['ignore', 'inherit', 'ignore'], detached: true }`;
    const leaves = `
      const left = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], ${stdio});
      left.unref();
      require('node:fs').writeFileSync(${pidFile}, String(left.pid));`;
    const results = await runEveryBench(['leaves', 'good'], {
      command: (name: string) => [process.execPath, '-e', name === 'leaves' ? leaves : (scripts[name] ?? '')],
      atMostMs: 2_000,
      say: () => undefined,
      whenKilled: () => undefined,
    }).finally(() => {
      process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
      rmSync(folder, { recursive: true });
    });
    expect(results.map(({ error }) => error)).toEqual(['not done after 2 s', undefined]);
  });

  it('stops altogether when it is interrupted', async () => {
    const killed: string[] = [];
    const results = await runEveryBench(['hangs', 'good'], {
      command: (name: string) => {
        if (name === 'hangs') setImmediate(() => process.emit('SIGINT', 'SIGINT'));
        return [process.execPath, '-e', scripts[name] ?? ''];
      },
      atMostMs: 10_000,
      say: () => undefined,
      whenKilled: (name) => killed.push(name),
    });
    expect(results).toEqual([{ name: 'hangs', error: 'interrupted' }]);
    expect(killed).toEqual([]);
  });
});
