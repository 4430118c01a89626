import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { launchBrowser, openPage } from '../src/browser.ts';
import { createPerson, openAs, signInAgain } from '../src/people.ts';
import { typePassword, untilHome } from '../src/sign-in-steps.ts';
import { newAddress } from '../src/visitor.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

async function untilSignIn(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
}

test('a session that is ended in the profile is over in the other browser, by itself', async () => {
  const person = await createPerson(demo, 'Analyst');
  const other = await openAs(browser, demo, await signInAgain(demo, person));
  await other.page.goto(`${demo.url}/air/case-management`);
  await other.page.getByRole('heading', { level: 1 }).first().waitFor();
  const { page, context } = await openAs(browser, demo, person.visitor);
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByRole('button', { name: /^Sign out .* at / }).click();
  await page.getByRole('button', { name: /^Sign out .* at / }).waitFor({ state: 'detached' });
  // Its stream of changes ends with the session, and nobody touches it.
  await untilSignIn(other.page);
  await other.page.getByText('Your session has ended. Sign in to go on where you were.').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await other.context.close();
  await context.close();
});

test('signing out in one tab moves the other, and going back shows nothing', async () => {
  const person = await createPerson(demo, 'Analyst');
  const { page, context } = await openAs(browser, demo, person.visitor);
  await page.goto(`${demo.url}/home`);
  await untilHome(page);
  const second = await context.newPage();
  await second.goto(`${demo.url}/settings/profile`);
  await second.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await page.goto(`${demo.url}/logout`);
  await untilSignIn(page);
  await untilSignIn(second);
  await page.goBack();
  await untilSignIn(page);
  expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(person.email);
  await context.close();
});

test('the own profile is changed, and times follow the locale at once', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const { page, context } = await openAs(browser, demo, person.visitor);
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByLabel('Name', { exact: true }).fill('Robin Renamed');
  await page.getByLabel('Job title').fill('On call');
  await page.getByLabel('Locale').selectOption('en-CA');
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('Profile saved').waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Robin Renamed');
  expect(await page.getByLabel('Locale').inputValue()).toBe('en-CA');
  await context.close();
});

test('the own account is deleted once its name was typed, and signs in no more', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const { page, context } = await openAs(browser, demo, person.visitor);
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const typed = dialog.getByLabel(`Type your user name: ${person.email}`);
  await typed.fill('somebody else');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.locator('[aria-invalid=true]').waitFor();
  await typed.fill(person.email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await untilSignIn(page);
  await typePassword(page, person.email, person.password);
  await page.getByRole('alert').first().waitFor();
  await context.close();
});

describe('somebody of several tenants', () => {
  test('goes from the overview into a tenant with one click, and nothing of the one before is asked for or shown', async () => {
    const [provider, foods, clinics] = demo.tenants;
    if (provider === undefined || foods === undefined || clinics === undefined) throw new Error('A tenant is missing.');
    const { page, context, problems } = await openPage(browser, { address: newAddress() });
    await page.goto(demo.url);
    await page.getByRole('button', { name: /Elena Fischer/ }).click();
    await untilHome(page);
    await page.getByRole('link', { name: 'All tenants' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'All tenants' }).waitFor();
    await page.getByText('of 3 tenants').waitFor();

    // It says so for a second only, in which a slow click might just return.
    const switching = page.getByText('Switching tenant…').waitFor();
    // On the name: figures of the row lead to what they count.
    const row = page.getByRole('row', { name: /Meridian Foods/ });
    await Promise.all([switching, row.getByText('Meridian Foods', { exact: true }).click()]);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await untilHome(page);
    expect(new URL(page.url()).pathname).toBe('/home');
    await page.getByRole('button', { name: 'Select Tenant, now Meridian Foods' }).first().waitFor();
    await page.getByRole('link', { name: 'Cases' }).first().click();
    await page.waitForURL((url) => url.pathname === '/air/case-management');
    await page.getByRole('table').first().waitFor();
    expect(asked.some((path) => path.startsWith(`/api/tenants/${foods.id}/`))).toBe(true);
    // Pages that were seen there are told of there, a moment later.
    const ofBefore = asked.filter((path) => path.includes(provider.id) && !path.endsWith('/telemetry'));
    expect(ofBefore).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(
      `"currentTenant":"${provider.id}"`,
    );
    // Admin at home, Analyst here: the role comes from the map.
    await page.goto(`${demo.url}/settings/tenant-settings`);
    await page.getByText('Your role in Meridian Foods is Analyst').waitFor();

    await page.goto(`${demo.url}/home?tenant=${clinics.id}`);
    await page.getByRole('button', { name: 'Select Tenant, now Harbor Clinics' }).first().waitFor();

    await page.goto(`${demo.url}/overview`);
    const figure = page
      .getByRole('link', { name: /^[\d,]+ (critical|high|medium|low) cases? of Meridian Foods$/ })
      .first();
    const count = Number((await figure.textContent())?.replaceAll(/\D/g, ''));
    await figure.click();
    await page.getByRole('heading', { level: 1, name: 'Case management' }).waitFor();
    await page.getByRole('button', { name: 'Select Tenant, now Meridian Foods' }).first().waitFor();
    // Others open and close cases meanwhile.
    const isAsMany = async () => {
      const footer = await page
        .getByText(/ of [\d,]+ cases?/)
        .first()
        .textContent();
      const listed = Number(/of ([\d,]+)/.exec(footer ?? '')?.[1]?.replaceAll(',', ''));
      return Math.abs(listed - count) <= 5;
    };
    await expect.poll(isAsMany, { timeout: 20_000 }).toBe(true);
    expect(problems.filter((problem) => !/status of 40[13]/.test(problem))).toEqual([]);
    await context.close();
  });

  test('is not led into a tenant of others by an address', async () => {
    const person = await createPerson(demo, 'Admin');
    const clinics = demo.tenants[2];
    const { page, context } = await openAs(browser, demo, person.visitor);
    await page.goto(`${demo.url}/home?tenant=${clinics?.id}`);
    await page.waitForURL((url) => url.pathname === '/unauthorized');
    await page.getByText('You are not a member of that tenant.').waitFor();
    expect(await page.getByText('Harbor Clinics').count()).toBe(0);
    await context.close();
  });
});
