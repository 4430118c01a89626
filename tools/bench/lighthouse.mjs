import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Fetched when the bench runs and not with the repository: it brings more packages than the product has. */
const LIGHTHOUSE = 'lighthouse@12.8.2';

/** A trace now and then lacks its beginning, on a busy machine. */
const TRIES = 3;

/**
 * One run of Lighthouse's performance audit as on a desktop, in the browser that listens on `port` and with what it has stored.
 * Times in milliseconds, score from 0 to 100.
 */
export async function auditOf(url, port) {
  let problem;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const { audits, categories, finalDisplayedUrl, runtimeError } = await reportOf(url, port);
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

async function reportOf(url, port) {
  const command = [
    ...['--yes', LIGHTHOUSE, url, `--port=${port}`, '--preset=desktop', '--only-categories=performance'],
    ...['--disable-storage-reset', '--output=json', '--output-path=stdout', '--quiet'],
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
