import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NameServer, startNameServer } from '../../apps/server/src/modules/sso/name-server-stand-in.ts';
import { type AirdeckProcess, startAirdeck } from '../src/airdeck-process.ts';
import { apiOfBrowser } from '../src/api.ts';
import type { Authenticator } from '../src/authenticator.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { invitationOf } from '../src/mails.ts';
import { acceptInvitation, newEmail, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { setUpAuthenticator, signOut, typeCode, typePassword, untilHome } from '../src/sign-in-steps.ts';
import { behindProxy, newAddress } from '../src/visitor.ts';

const customer = 'Alder Logistics';
const plan = { retention: 60, search: 20 };
/** One dot. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

/** A product of its own: a customer that is created shows in lists of everybody else. */
let airdeck: AirdeckProcess;
let names: NameServer;
let browser: Browser;
let provider: { page: Page; context: BrowserContext };
/** The customer's first Admin. */
let admin: { page: Page; context: BrowserContext };
const adminEmail = newEmail();
const adminPassword = randomBytes(15).toString('base64url');
let adminAuthenticator: Authenticator;

beforeAll(async () => {
  names = await startNameServer();
  [airdeck, browser] = await Promise.all([
    startAirdeck({ ...behindProxy, DNS_SERVERS: names.address }),
    launchBrowser(),
  ]);
  provider = await openPage(browser, { address: newAddress() });
  await provider.page.goto(airdeck.demo.url);
  await provider.page.getByRole('button', { name: /Elena Fischer/ }).click();
  await untilHome(provider.page);
});
afterAll(async () => {
  await browser?.close();
  await airdeck?.close();
  names?.close();
});

const open = ({ page }: { page: Page }, path: string) => page.goto(`${airdeck.demo.url}${path}`);
const openPanel = (who: { page: Page }, panel: string) => open(who, `/settings/tenant-settings?panel=${panel}`);

async function save({ page }: { page: Page }): Promise<void> {
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save changes' }).click();
}

test.each(['customers', 'case-times', 'usage', 'operations'])(
  'the %s of a provider are a sound screen',
  async (panel) => {
    await openPanel(provider, panel);
    await provider.page.getByRole('heading', { level: 1, name: 'Tenant settings' }).waitFor();
    await expect.poll(() => provider.page.locator('[aria-busy=true]').count(), { timeout: 30_000 }).toBe(0);
    await look(provider.page, `tenant settings, ${panel}`);
  },
);

describe('a customer of a provider', () => {
  test('is created with its plan, and its first Admin is invited', async () => {
    const { page } = provider;
    await openPanel(provider, 'customers');
    await page.getByRole('row', { name: /Meridian Foods/ }).waitFor();
    await page.getByRole('button', { name: 'Create customer' }).click();
    const form = page.getByRole('dialog', { name: 'Create customer' });
    await form.getByLabel('Name', { exact: true }).fill(customer);
    await form.getByLabel('Plan').fill('Starter');
    await form.getByRole('switch', { name: 'Managed detection and response' }).check({ force: true });
    await form.getByLabel('Days events are kept').fill(String(plan.retention));
    await form.getByLabel('Days that can be searched').fill('90');
    await form.getByLabel('Name of the Admin').fill('Noor Newhart');
    await form.getByLabel('E-mail address').fill(adminEmail);
    await form.getByRole('button', { name: 'Create customer' }).click();
    await form.getByText('Cannot be longer than events are kept.').waitFor();
    await look(page, 'form of a new customer');
    await form.getByLabel('Days that can be searched').fill(String(plan.search));
    await form.getByRole('button', { name: 'Create customer' }).click();
    await page.getByText(`${customer} created, ${adminEmail} invited`).waitFor();
    const row = page.getByRole('row', { name: new RegExp(customer) });
    await row.getByText('Starter').waitFor();
    await row.getByText(`${plan.retention} / ${plan.search} days`).waitFor();
    await row.getByText('1 invited').waitFor();
  });

  test('is opened to people of the provider by a role in all customers, after a question', async () => {
    const { page } = provider;
    await page.getByRole('combobox', { name: 'Person' }).click();
    await page.getByRole('option', { name: /Elena Fischer/ }).click();
    await page.getByRole('combobox', { name: 'Role in all customers' }).selectOption('Admin');
    await page.getByRole('button', { name: 'Give role…' }).click();
    const question = page.getByRole('dialog', { name: 'Make Elena Fischer Admin of all customers?' });
    await question.getByText(/all 3 customer tenants/).waitFor();
    await question.getByRole('button', { name: 'Give the role' }).click();
    await page.getByText('Role Admin given').waitFor();
    await open(provider, '/overview');
    await page.getByRole('row', { name: new RegExp(customer) }).waitFor();
    await page.getByText('of 4 tenants').waitFor();
  });

  test('is entered by its first Admin from the mail, with an authenticator', async () => {
    admin = await openPage(browser, { address: newAddress() });
    const { page } = admin;
    await open(admin, (await invitationOf(airdeck.demo, adminEmail)).path);
    await page.getByRole('heading', { name: `Join ${customer}` }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Create the account' }).click();
    adminAuthenticator = await setUpAuthenticator(page);
    await page
      .getByRole('button', { name: `Select Tenant, now ${customer}` })
      .first()
      .waitFor();
    await openPanel(admin, 'details');
    await page.getByText('Lumen Ridge Security').first().waitFor();
    await page.getByText('Starter').first().waitFor();
    // No provider itself.
    expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
  });
});

describe('its contract', () => {
  test('is entered by the provider, with a file that has to be a PDF inside too', async () => {
    await open(admin, '/settings/term-dates');
    await admin.page.getByText(/Lumen Ridge Security manages|The provider manages/).waitFor();
    expect(await admin.page.getByRole('button', { name: 'Enter term dates' }).count()).toBe(0);

    const { page } = provider;
    await page.getByRole('row', { name: new RegExp(customer) }).click();
    await untilHome(page);
    await open(provider, '/settings/term-dates');
    await page.getByRole('button', { name: 'Enter term dates' }).click();
    const form = page.getByRole('dialog', { name: 'Enter term dates' });
    await form.getByLabel('Start').fill('02/30/2026');
    await form.getByLabel('End').fill('12/31/2027');
    await form.getByLabel('Seats').fill('5');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.locator('[aria-invalid=true]').waitFor();
    await form.getByLabel('Start').fill('01/15/2026');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Term dates saved').waitFor();

    const picker = page.getByLabel('PDF file to add');
    await picker.setInputFiles({ name: 'Notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') });
    await page.getByText('Notes.txt is not a PDF.').waitFor();
    await picker.setInputFiles({ name: 'Disguised.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ words') });
    await page.getByText('Only PDF files can be added.').waitFor();
    await picker.setInputFiles({ name: 'Order form 2026.pdf', mimeType: 'application/pdf', buffer: pdf });
    await page.getByText('Order form 2026.pdf added').waitFor();
    await page.getByRole('button', { name: 'Delete Order form 2026.pdf' }).waitFor();
    expect(await page.getByText('Disguised.pdf').count()).toBe(0);
  });

  test('is read and its file downloaded by the customer, who changes nothing of it', async () => {
    const { page } = admin;
    await page.reload();
    await page.getByText(/of 5 used/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download Order form 2026.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Order form 2026.pdf');
    expect((await readFile(await download.path())).equals(pdf)).toBe(true);
    for (const name of ['Edit', 'Add PDF', 'Delete Order form 2026.pdf']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }
  });

  test('has billing information, which the customer writes', async () => {
    const { page } = admin;
    await page.getByLabel('Contact', { exact: true }).fill('Accounts of Alder');
    await page.getByLabel('E-mail address').fill('accounts');
    await save(admin);
    await page.getByText(/Enter a whole e-mail address/).waitFor();
    await page.getByLabel('E-mail address').fill('accounts@alder.example');
    await page.getByLabel('City').fill('Halifax');
    await save(admin);
    await page.getByText('Billing information saved').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('City').inputValue(), { timeout: 30_000 }).toBe('Halifax');
  });

  test('loses the file when the provider deletes it', async () => {
    const { page } = provider;
    await page.getByRole('button', { name: 'Delete Order form 2026.pdf' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Order form 2026.pdf?' });
    await question.getByRole('button', { name: 'Delete file' }).click();
    await page.getByText('Order form 2026.pdf deleted').waitFor();
    await admin.page.reload();
    await admin.page.getByText('None yet. Your provider adds them.').waitFor();
  });
});

test('its contacts are put in another order and edited, and its provider sees them apart from its own', async () => {
  const { page, context } = admin;
  const api = apiOfBrowser(airdeck.demo, context);
  const { user } = await api.call('me.get', {});
  const params = { tenant: user.tenant };
  const common = { phone: '', job_title: '', kind: 'escalation', notes: '' } as const;
  const notify = { case_severities: [], channels: [] };
  for (const [index, name] of ['Uma First', 'Vic Second'].entries()) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@alder.example`;
    const body = { ...common, notify, name, email, escalation_order: index + 1 };
    await api.call('contacts.create', { params, body });
  }
  await open(admin, '/settings/contact-directory');
  await page.getByRole('button', { name: 'Move Vic Second up' }).click();
  const order = async () =>
    (await api.call('contacts.list', { params })).map(({ name, escalation_order }) => `${escalation_order} ${name}`);
  await expect
    .poll(async () => (await order()).toSorted(), { timeout: 30_000 })
    .toEqual(['1 Vic Second', '2 Uma First']);
  await page.getByRole('row', { name: /Uma First/ }).click();
  await page.getByLabel('Job title').fill('Stands in at night');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Contact saved').waitFor();
  await page.reload();
  await page.getByRole('row', { name: /Vic Second/ }).waitFor();
  expect(await page.getByRole('row').nth(1).textContent()).toContain('Vic Second');
  expect((await api.call('contacts.list', { params })).find(({ name }) => name === 'Uma First')).toMatchObject({
    job_title: 'Stands in at night',
  });

  const directory = (tenant: string) =>
    open(provider, `/settings/contact-directory?filters=${encodeURIComponent(JSON.stringify({ tenant: [tenant] }))}`);
  await directory(params.tenant);
  await provider.page.getByRole('row', { name: /Vic Second/ }).waitFor();
  await directory(airdeck.demo.tenants[0]?.id ?? '');
  await provider.page.getByRole('heading', { level: 1, name: 'Contact directory' }).waitFor();
  await expect.poll(() => provider.page.locator('[aria-busy=true]').count(), { timeout: 30_000 }).toBe(0);
  expect(await provider.page.getByText('Vic Second').count()).toBe(0);
});

test('its brand shows in the tenant picker at once and after a reload', async () => {
  const { page } = admin;
  await openPanel(admin, 'brand');
  await page.getByLabel('Display name').fill('Alder');
  await page.getByLabel('Color', { exact: true }).fill('teal');
  await save(admin);
  await page.getByText('A color such as #0b7285.').waitFor();
  await page.getByLabel('Color', { exact: true }).fill('#0B7285');
  const logo = page.getByLabel('Logo file');
  await logo.setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  });
  await page.getByText('This file is no PNG picture.').waitFor();
  await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('img', { name: 'Logo of the tenant' }).waitFor();
  await save(admin);
  await page.getByText('Brand saved').waitFor();
  const picker = page.getByRole('button', { name: 'Select Tenant, now Alder' }).first();
  await picker.waitFor();
  await page.reload();
  await picker.waitFor();
  await picker.locator('img').waitFor();
  expect(await page.getByLabel('Color', { exact: true }).inputValue()).toBe('#0b7285');
  await look(page, 'a brand with a logo');
});

test('its retention is changed within what the plan allows', async () => {
  const { page } = admin;
  await openPanel(admin, 'retention');
  const days = page.getByLabel('Keep events for');
  await days.fill(String(plan.retention + 1));
  await save(admin);
  await page.getByText(`The plan keeps events for ${plan.retention} days at most.`).waitFor();
  await days.fill('14');
  await save(admin);
  await page.getByText('Retention saved').waitFor();
  await page.reload();
  await expect.poll(() => days.inputValue(), { timeout: 30_000 }).toBe('14');
});

describe('single sign-on as the only way in', () => {
  const label = 'Alder directory';
  const domain = `alder-${randomBytes(5).toString('hex')}.example`;
  let member: Person;
  /** A member who came in with a password. */
  let colleague: { page: Page; context: BrowserContext };

  const onlySwitch = () => admin.page.getByRole('switch', { name: /through single sign-on only/ });
  const tenantOf = async () => ({
    tenant: (await apiOfBrowser(airdeck.demo, admin.context).call('me.get', {})).user.tenant,
  });

  beforeAll(async () => {
    const api = apiOfBrowser(airdeck.demo, admin.context);
    const params = await tenantOf();
    const email = newEmail();
    await api.call('users.invite', { params, body: { email, fullname: 'Pat Password', role: 'Analyst' } });
    member = await acceptInvitation(airdeck.demo, { email, fullname: 'Pat Password', ...params });
    colleague = await openAs(browser, airdeck.demo, member.visitor);
    await open(colleague, '/home');
    await untilHome(colleague.page);
    await api.call('sso.create', {
      params,
      body: {
        ...{ kind: 'oidc', label, client_id: 'airdeck', domains: [domain] },
        issuer: `http://127.0.0.1:${airdeck.demo.ports.sandbox}/openid`,
        join: { enabled: true, default_role: 'ReadOnly' },
      },
    });
  });

  test('is refused until its domain is proved and an account is named for the day the issuer is down', async () => {
    const { page } = admin;
    await openPanel(admin, 'sign-in');
    await page.getByText('Not proved').waitFor();
    await onlySwitch().check({ force: true });
    await save(admin);
    await page.getByText(/Name at least one break-glass account first/).waitFor();
    await page.getByRole('combobox', { name: 'Break-glass accounts' }).click();
    await page.getByRole('option', { name: /Noor Newhart/ }).click();
    await page.keyboard.press('Escape');
    await save(admin);
    await page.getByText(/prove its e-mail domain/).waitFor();
    // Nothing was saved, and nobody was signed out.
    await open(colleague, '/air/case-management');
    await colleague.page.getByRole('heading', { level: 1, name: 'Case management' }).waitFor();
  });

  test('closes passwords at once: who came in with one is signed out and does not come back with it', async () => {
    const params = await tenantOf();
    const [found] = await apiOfBrowser(airdeck.demo, admin.context).call('sso.domains', { params });
    names.texts.set(found?.record.name ?? '', [[found?.record.value ?? '']]);
    await admin.page.getByRole('button', { name: `Check ${domain} now` }).click();
    await admin.page.getByText('Proved', { exact: true }).waitFor();
    await save(admin);
    await admin.page.getByText('Sign-in saved').waitFor();
    await look(admin.page, 'single sign-on only');

    const { page } = colleague;
    await page.waitForURL((url) => url.pathname === '/login');
    await typePassword(page, member.email, member.password);
    await page.getByText(/Your organization signs in through its own account/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  test('lets people in through the directory', async () => {
    const email = `kit@${domain}`;
    const { page, context } = await openPage(browser, { address: newAddress() });
    await open({ page }, '/login');
    await page.getByLabel('E-mail address').fill(email);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: `Sign in with ${label}` }).click();
    await page.getByRole('heading', { name: 'Sandbox directory' }).waitFor();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await untilHome(page);
    expect((await apiOfBrowser(airdeck.demo, context).call('me.get', {})).tenant_roles).toEqual({
      [(await tenantOf()).tenant]: 'ReadOnly',
    });
    await context.close();
  });

  test('lets the break-glass account in with password and code, and the audit log says which way', async () => {
    const { page, context } = admin;
    await signOut(page, airdeck.demo.url);
    await typePassword(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await typeCode(page, adminAuthenticator.nextCode());
    await untilHome(page);
    const { records } = await apiOfBrowser(airdeck.demo, context).call('audit.list', {
      params: await tenantOf(),
      query: { action: 'session.sign_in', actor: adminEmail },
    });
    expect(records[0]).toMatchObject({ outcome: 'ok', data: { break_glass: true } });
  });

  test('ends when it is switched off: the password opens again', async () => {
    await openPanel(admin, 'sign-in');
    // The form begins anew when what is stored arrives a second time.
    const isOn = async () => {
      await onlySwitch()
        .uncheck({ force: true })
        .catch(() => undefined);
      return await onlySwitch().isChecked();
    };
    await expect.poll(isOn, { timeout: 20_000 }).toBe(false);
    await save(admin);
    await admin.page.getByText('Sign-in saved').waitFor();
    const { page } = colleague;
    await typePassword(page, member.email, member.password);
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    await typeCode(page, member.authenticator.nextCode());
    // Where they were when they were signed out.
    await page.getByRole('heading', { level: 1, name: 'Case management' }).waitFor();
  });
});
