import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createLiveMemory } from './live-memory.mjs';

/** Says each line when it is done: `keep` holds on to 20 MB, `drop` makes and drops 20 times as much. */
const program = `
  const kept = [];
  const part = () => Array.from({ length: 20 }, () => new Array(131_072).fill(0.5));
  process.stdin.setEncoding('utf8').on('data', (word) => {
    if (word.trim() === 'keep') kept.push(part());
    else for (let n = 0; n < 20; n++) part();
    process.stdout.write('done\\n');
  });
  process.stdout.write('done\\n');`;

it.skipIf(process.platform === 'win32')(
  'tells what a process holds on to from what it only has not collected yet',
  { timeout: 60_000 },
  async () => {
    const live = createLiveMemory({ lookEveryMs: 10 });
    onTestFinished(live.remove);
    const child = spawn(process.execPath, ['-e', program], {
      env: { ...process.env, ...live.environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const after = async (word: string): Promise<number> => {
      child.stdin.write(`${word}\n`);
      await once(child.stdout, 'data');
      return await live.of([child.pid ?? 0]);
    };
    await once(child.stdout, 'data');
    await after('drop');
    const before = await live.of([child.pid ?? 0]);
    expect(Math.abs((await after('drop')) - before)).toBeLessThan(2);
    const kept = (await after('keep')) - before;
    expect(kept).toBeGreaterThan(18);
    expect(kept).toBeLessThan(24);
  },
);
