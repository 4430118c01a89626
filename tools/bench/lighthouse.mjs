import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Fetched when the bench runs and not with the repository: it brings more packages than the product has. */
const LIGHTHOUSE = 'lighthouse@12.8.2';

/** A trace now and then lacks its beginning, on a busy machine. */
const TRIES = 3;
/** A dashboard keeps its live stream open, so that its network is never quiet: it would be waited for 45 seconds. */
const LOADED_MS = 15_000;
const devices = { desktop: ['--preset=desktop'], mobile: [] };

/**
 * One run of Lighthouse's performance audit in the browser that listens on `port` and with what it has stored: as on a desktop, or
 * as on a phone with a processor a quarter as fast and a slow 4G. Times in milliseconds, score from 0 to 100.
 */
export async function auditOf(url, { port, device }) {
  let problem;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { audits, categories, finalDisplayedUrl, runtimeError } = await reportOf(url, { port, device });
    problem = runtimeError?.message;
    if (problem !== undefined) continue;
    if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) {
      throw new Error(`${url} became ${finalDisplayedUrl}`);
    }
    return {
      lcp: audits['largest-contentful-paint'].numericValue,
      tbt: audits['total-blocking-time'].numericValue,
      cls: audits['cumulative-layout-shift'].numericValue,
      score: categories.performance.score * 100,
    };
  }
  throw new Error(`${url}: ${problem}`);
}

async function reportOf(url, { port, device }) {
  const command = [
    ...['--yes', LIGHTHOUSE, url, `--port=${port}`, ...devices[device], '--only-categories=performance'],
    ...[`--max-wait-for-load=${LOADED_MS}`, '--disable-full-page-screenshot', '--disable-storage-reset'],
    ...['--output=json', '--output-path=stdout', '--quiet'],
  ];
  const options = { maxBuffer: 256 * 1024 * 1024, env: { ...process.env, CI: 'true' } };
  // It ends with an error when the report tells one.
  const { stdout } = await promisify(execFile)('npx', command, options).catch((error) => error);
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`Lighthouse gave no report of ${url}: ${stdout.slice(0, 500)}`);
  }
}
