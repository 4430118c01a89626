/**
 * A worker in a process of its own, to be killed: `tsx engine-stand.ts <database url> <stuck|free>`. It says `working`, and
 * `step <ms since 1970>` when its first step begins. In the stuck one the action `bench.stop` never ends.
 */
import { createComposedEngine } from './composed-engine.ts';

const [url, mode] = process.argv.slice(2);
if (url === undefined) throw new Error('Name a database.');
const isStuck = mode === 'stuck';
let told = false;

const { engine } = createComposedEngine(url, {
  async executeStep({ name, input }) {
    if (!told) console.log(`step ${Date.now()}`);
    told = true;
    if (isStuck && name === 'bench.stop') await new Promise(() => undefined);
    return input;
  },
  options: { exclusiveName: 'bench', ...(isStuck ? { concurrency: 2_000, tenantShare: 1 } : {}) },
});
await engine.start();
console.log('working');
