import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const hasRsyslog = spawnSync('rsyslogd', ['-v']).status === 0;
const hasCurl = spawnSync('curl', ['--version']).status === 0;

const demo = inject('demo');
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-sources-'));
  browser = await launchBrowser();
  const manager = await createPerson(demo, 'SystemManager', { fullname: 'Sol Sender' });
  ({ page } = await openAs(browser, demo, manager.visitor));
  await page.goto(`${demo.url}/integrations/sources`);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function makeSource(name: string, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Create source' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel(kind, { exact: true }).check();
  await page.getByRole('button', { name: 'Make the source' }).click();
  await page.getByText('Waiting for the first event…').waitFor();
}

const pasted = async (part: string) => (await page.locator('code').filter({ hasText: part }).textContent()) ?? '';
const turnsGreen = () => page.getByText('Events arrive: the last one').waitFor();

async function deleteSource(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText(`${name} deleted`).waitFor();
}

test.skipIf(!hasRsyslog)(
  'what the screen shows for rsyslog, pasted into the real one (Debian: apt-get install rsyslog), turns it green',
  async () => {
    await makeSource('Servers of the journey', 'Syslog');
    await look(page, 'a source and how to connect to it');
    const [log, conf] = [join(folder, 'app.log'), join(folder, 'rsyslog.conf')];
    writeFileSync(log, '');
    const input = `global(workDirectory="${folder}")\nmodule(load="imfile")\ninput(type="imfile" file="${log}" tag="app")`;
    writeFileSync(conf, `${input}\n${await pasted('omfwd')}\n`);
    const daemon = spawn('rsyslogd', ['-n', '-f', conf, '-i', join(folder, 'rsyslog.pid')], { stdio: 'ignore' });
    const gone = once(daemon, 'close');
    try {
      appendFileSync(log, 'a needle of the journey\n');
      await turnsGreen();
    } finally {
      daemon.kill('SIGTERM');
      await gone;
    }
    await deleteSource('Servers of the journey');
  },
);

test.skipIf(!hasCurl)('the command it shows sends an event, until its token is replaced', async () => {
  await makeSource('Shipper of the journey', 'Log shipper');
  await page.getByText('curl', { exact: true }).click();
  const send = async () => {
    const command = await pasted('curl ');
    return JSON.parse(execFileSync('sh', ['-c', `${command} --silent`]).toString()) as Partial<IngestAnswer>;
  };
  const isStored = { accepted: 1, duplicate: false };
  expect(await send()).toMatchObject(isStored);
  await turnsGreen();
  const before = await pasted('curl ');
  await page.getByRole('button', { name: 'Replace token…' }).click();
  await page.getByRole('button', { name: 'Replace token', exact: true }).click();
  await expect.poll(() => pasted('curl ')).not.toBe(before);
  // What is shown sends the same text, which is an event of its own all the same.
  expect(await send()).toMatchObject(isStored);
  await page
    .getByRole('status')
    .filter({ hasText: /\b2 in 24 h/ })
    .waitFor();
  // Doors remember a token for two seconds.
  const old = `${before} --silent --write-out '%{http_code}' --output /dev/null`;
  await expect.poll(() => execFileSync('sh', ['-c', old]).toString(), { timeout: 10_000 }).toBe('401');
  await deleteSource('Shipper of the journey');
});
