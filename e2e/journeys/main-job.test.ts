import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AirdeckProcess, startAirdeck } from '../src/airdeck-process.ts';
import { apiOf, sandboxState, userOf } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { guessingRun, sendSyslog } from '../src/syslog-sender.ts';

const guesser = '192.0.2.77';
const bystander = '198.51.100.9';

/** The main job from the first event to the closed case, as an analyst lives it. Each step needs the one before. */
describe('from a password-guessing run to a blocked address', () => {
  let airdeck: AirdeckProcess;
  let browser: Browser;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    [airdeck, browser] = await Promise.all([startAirdeck({ METRICS_PORT: '0' }), launchBrowser()]);
    ({ page, problems } = await openPage(browser));
  });
  afterAll(async () => {
    await browser?.close();
    await airdeck?.close();
  });

  test('metrics are answered for at the port the demo file names', async () => {
    const answer = await fetch(`http://127.0.0.1:${airdeck.demo.ports.metrics}/metrics`);
    expect(await answer.text()).toContain('airdeck_http_answer_seconds');
  });

  test('the analyst signs in with password and code, and lands on the home page', async () => {
    await page.goto(airdeck.demo.url);
    await page.getByRole('button', { name: /Ana Souza/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to your AIR' }).waitFor();
    expect(await page.title()).toMatch(/\| AIR/);
  });

  test('the home page is alive: events of the simulator keep arriving', { timeout: 240_000 }, async () => {
    const { demo } = airdeck;
    const analyst = userOf(demo, 'Analyst');
    const api = apiOf(demo, analyst);
    const count = async () =>
      (await api.call('dashboards.get', { params: { tenant: analyst.tenant }, query: {} })).log_count;
    const before = await count();
    // In the night of a weekend there is one in ten seconds on average.
    await expect.poll(count, { timeout: 150_000, interval: 500 }).toBeGreaterThan(before);
  });

  test('one case opens for the guessing address with its 13 failures, and none for the other address', async () => {
    await sendSyslog(airdeck.demo.ports.syslog_tcp, guessingRun({ guesser, bystander }, new Date()));
    await page.getByRole('link', { name: 'Cases' }).first().click();
    const row = page
      .getByRole('row', { name: new RegExp(guesser.replaceAll('.', '\\.')) })
      .filter({ hasText: 'SSH password guessing' });
    // What comes in while the list is open waits until its reader asks for it.
    const newer = page.getByRole('button', { name: /^\d+ new cases?$/ });
    await expect
      .poll(
        async () => {
          if (await newer.isVisible()) await newer.click();
          return await row.count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1);
    expect(await page.getByRole('row', { name: new RegExp(bystander.replaceAll('.', '\\.')) }).count()).toBe(0);
    await row.first().click();
    await page.getByText('13 matching events').first().waitFor();
  });

  test('the run waits for an answer through a kill of the server, and the block happens once', async () => {
    await airdeck.kill();
    await airdeck.restart();
    const { demo } = airdeck;
    const blocks = async () =>
      (await sandboxState(demo)).calls.filter(
        (call) => call.method === 'POST' && call.path.includes('/firewall/address'),
      );
    expect(await blocks()).toHaveLength(0);

    const analyst = userOf(demo, 'Analyst');
    const query = { params: { tenant: analyst.tenant }, query: { q: guesser } };
    const run = await vi.waitFor(
      async () => {
        const { cases } = await apiOf(demo, analyst).call('cases.list', query);
        const id = cases[0]?.alert_responses[0]?.workflow_instance_id;
        if (!id) throw new Error('Nothing answers the case yet.');
        return id;
      },
      { timeout: 60_000, interval: 250 },
    );
    await page.goto(`${demo.url}/activity/playbooks`);
    // The simulator's attackers are answered by the same playbook.
    await page
      .getByRole('row', { name: /Block a guessing address/ })
      .filter({ has: page.locator(`a[href$="${run}"]`) })
      .click();
    await page.getByText(`Block ${guesser} on the firewall?`).first().waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).first().click();
    await page.getByText('Success', { exact: true }).first().waitFor();

    await expect.poll(async () => (await blocks()).length, { timeout: 30_000 }).toBe(1);
    const { fortigate } = await sandboxState(demo);
    expect(fortigate.addresses.map((address) => address.subnet)).toEqual([`${guesser} 255.255.255.255`]);
  });

  test("the case tells the whole story, is closed, and the home page's figures follow", async () => {
    const { demo } = airdeck;
    const analyst = userOf(demo, 'Analyst');
    const api = apiOf(demo, analyst);
    const params = { tenant: analyst.tenant };
    const figures = () => api.call('dashboards.get', { params, query: {} });
    const before = await figures();
    const [opened] = (await api.call('cases.list', { params, query: { q: guesser } })).cases.filter(
      (one) => one.alert_name === 'SSH password guessing',
    );
    if (!opened) throw new Error('The case is gone.');

    await page.goto(`${demo.url}/air/case-management/${opened.id}`);
    await page.getByRole('heading', { level: 1, name: /SSH password guessing/ }).waitFor();
    for (const step of [/Check IP address succeeded/, /answered “block”/, /Block address succeeded/i]) {
      await page.getByText(step).first().waitFor();
    }
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('button', { name: 'Close…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /True positive/ })
      .check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close case' }).click();
    await page.getByText('Closed', { exact: true }).first().waitFor();
    // Other cases on the page may say so too; the figures follow once this one is.
    await expect
      .poll(async () => (await figures()).mttr_by_type.manual_mttr, { timeout: 30_000 })
      .not.toBe(before.mttr_by_type.manual_mttr);

    const after = await figures();
    expect(after.mttd_by_type.manual_mttd).not.toBe(before.mttd_by_type.manual_mttd);
    expect(after.mttd_by_type.automated_mttd).not.toBeNull();
    expect(after.mttr_by_type.automated_mttr).not.toBeNull();
  });

  test('the browser had nothing to complain about', () => {
    // While the server was down no call could reach it; Chromium has many names for that. What the server answered to, and
    // what the content security policy refused, is told in other words.
    expect(problems.filter((problem) => !/net::ERR_|Failed to fetch/.test(problem))).toEqual([]);
  });
});
