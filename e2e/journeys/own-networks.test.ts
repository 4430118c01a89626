import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type AirdeckProcess, startAirdeck } from '../src/airdeck-process.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { behindProxy } from '../src/visitor.ts';

const TENANT = 'Meridian Foods';
const NETWORK = '10.77.0.0/16';

/** The product whose operator opens nothing. */
const closed = inject('demo');
/** One whose operator opens a network. */
let open: AirdeckProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  open = await startAirdeck({ ...behindProxy, TENANT_NETWORKS: '10.0.0.0/8' });
  const admin = await createPerson(open.demo, 'Admin', { fullname: 'Nele Networks', tenant: TENANT });
  ({ page } = await openAs(browser, open.demo, admin.visitor));
});
afterAll(async () => {
  await browser?.close();
  await open?.close();
});

const address = (url: string) => `${url}/settings/tenant-settings?panel=networks`;

test('where the operator opens nothing, an Admin reads why and by whom', async () => {
  const admin = await createPerson(closed, 'Admin', { fullname: 'Nora None', tenant: TENANT });
  const other = await openAs(browser, closed, admin.visitor);
  await other.page.goto(address(closed.url));
  await other.page.getByRole('heading', { name: 'No network can be named here' }).waitFor();
  await other.page.getByText(/TENANT_NETWORKS/).waitFor();
  expect(await other.page.getByRole('button', { name: 'Add network' }).count()).toBe(0);
  await look(other.page, 'own networks, none opened');
  await other.context.close();
});

test('a network is added inside of what is opened, and removed after a question', async () => {
  await page.goto(address(open.demo.url));
  await page.getByRole('heading', { name: 'No network yet' }).waitFor();
  await page.getByLabel('Network', { exact: true }).fill('192.168.1.0/24');
  await page.getByRole('button', { name: 'Add network' }).click();
  await page.getByText('The operator of this installation has opened only 10.0.0.0/8.').waitFor();
  await page.getByLabel('Network', { exact: true }).fill('10.77.3.4/16');
  await page.getByLabel('Note').fill('Firewalls');
  await page.getByRole('button', { name: 'Add network' }).click();
  // In its one written form.
  await page.getByText(NETWORK, { exact: true }).waitFor();
  await page.getByText('Firewalls', { exact: true }).waitFor();
  await look(page, 'own networks');

  await page.getByRole('button', { name: `Remove ${NETWORK}` }).click();
  const question = page.getByRole('dialog', { name: `Remove ${NETWORK}?` });
  await question.getByRole('button', { name: 'Cancel' }).last().click();
  await question.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: `Remove ${NETWORK}` }).click();
  await question.getByRole('button', { name: 'Remove network' }).click();
  await page.getByRole('heading', { name: 'No network yet' }).waitFor();
});

test('a System Manager finds no way there', async () => {
  const manager = await createPerson(open.demo, 'SystemManager', { tenant: TENANT });
  const other = await openAs(browser, open.demo, manager.visitor);
  await other.page.goto(address(open.demo.url));
  await other.page.getByText('which does not include this screen').waitFor();
  await other.context.close();
});
