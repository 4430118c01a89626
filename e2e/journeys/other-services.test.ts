import { randomBytes } from 'node:crypto';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMarketplaceStandIn,
  publisher,
  type StandIn,
} from '../../apps/server/src/modules/marketplace/marketplace-stand-in.ts';
import { type AirdeckProcess, type DemoFile, startAirdeck } from '../src/airdeck-process.ts';
import { apiOfBrowser } from '../src/api.ts';
import { launchBrowser, openPage } from '../src/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../src/local-issuer.ts';
import { codeMailedTo } from '../src/mails.ts';
import { createPerson, openAs, type Person } from '../src/people.ts';
import { look } from '../src/screen-look.ts';
import { setUpAuthenticator, signOut, untilHome } from '../src/sign-in-steps.ts';
import { startTelemetryServices, type TelemetryServices } from '../src/telemetry-services.ts';
import { behindProxy, newAddress } from '../src/visitor.ts';

const ELSEWHERE = 'Example Directory';
const AS_WITH_A_WINDOW = `
  const named = navigator.userAgent.replace('HeadlessChrome', 'Chrome');
  Object.defineProperty(navigator, 'userAgent', { get: () => named });
  Object.defineProperty(navigator, 'userAgentData', { get: () => undefined });
  Object.defineProperty(navigator, 'webdriver', { get: () => false });
`;
const plan: SkuInfo = {
  sku_name: 'Standard of the marketplace',
  is_mdr_enabled: false,
  is_search_enabled: true,
  retention_length_days: 45,
  search_length_days: 20,
};

let airdeck: AirdeckProcess;
let browser: Browser;
let issuer: LocalIssuer;
let marketplace: StandIn;
let telemetry: TelemetryServices;
let demo: DemoFile;

beforeAll(async () => {
  [issuer, marketplace, telemetry] = await Promise.all([
    startLocalIssuer(ELSEWHERE),
    createMarketplaceStandIn(),
    startTelemetryServices(),
  ]);
  const selling = {
    AZURE_MARKETPLACE_TENANT_ID: publisher.directory,
    AZURE_MARKETPLACE_CLIENT_ID: publisher.clientId,
    AZURE_MARKETPLACE_CLIENT_SECRET: publisher.clientSecret,
    AZURE_MARKETPLACE_PLANS: JSON.stringify({ standard: plan }),
    AZURE_MARKETPLACE_API_URL: marketplace.apiUrl,
    AZURE_MARKETPLACE_LOGIN_URL: marketplace.loginUrl,
  };
  [airdeck, browser] = await Promise.all([
    startAirdeck({ ...behindProxy, ...issuer.environment, ...telemetry.environment, ...selling }),
    launchBrowser(),
  ]);
  demo = airdeck.demo;
  issuer.allow(`${demo.url}/auth/external/callback`);
});
afterAll(async () => {
  await browser?.close();
  await airdeck?.close();
  await issuer?.close();
  await marketplace?.close();
  await telemetry?.close();
});

describe('another provider for the sign-in', () => {
  let person: Person;
  let page: Page;
  let context: BrowserContext;

  async function signInThere(email: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(email);
    await page.getByPlaceholder('and password').fill('anything');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('is linked in the profile first: nobody signs in by an address alone', async () => {
    person = await createPerson(demo, 'Analyst');
    ({ page, context } = await openPage(browser, { address: newAddress() }));
    await page.goto(`${demo.url}/login`);
    await page.getByRole('button', { name: `Sign in with ${ELSEWHERE}` }).click();
    await signInThere(person.email);
    await page.getByRole('heading', { name: 'Account not found' }).waitFor();
    await context.close();

    ({ page, context } = await openAs(browser, demo, person.visitor));
    await page.goto(`${demo.url}/settings/profile`);
    await page.getByRole('button', { name: ELSEWHERE, exact: true }).click();
    await signInThere(person.email);
    await page.getByRole('button', { name: `Unlink ${ELSEWHERE} ${person.email}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/profile');
  });

  test('signs in from then on, through /validate with the callback flag and to the page that was asked for', async () => {
    await signOut(page, demo.url);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await page.goto(`${demo.url}/login?redirect=${encodeURIComponent('/activity/actions')}`);
    await page.getByRole('button', { name: `Sign in with ${ELSEWHERE}` }).click();
    // The issuer remembers its own session and asks nothing.
    await page.getByRole('heading', { level: 1, name: 'Action runs' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/activity/actions');
    expect(visited).toContain(`${demo.url}/validate?oauth_callback=true`);
    expect(visited.filter((address) => address.startsWith(demo.url) && /[?&](code|state)=/.test(address))).toEqual([]);
    await context.close();
  });
});

/** Each step needs the one before. */
describe('a purchase at the Azure Marketplace', () => {
  const email = 'buyer@contoso.example';
  let bought: ReturnType<StandIn['buy']>;
  let page: Page;
  let context: BrowserContext;
  let problems: string[];

  const landing = () => `${demo.url}/signup/azure?token=${encodeURIComponent(bought.token)}`;

  async function signUp(on: Page, address: string): Promise<void> {
    await on.goto(landing());
    await on.getByRole('heading', { level: 1, name: 'Set up your purchase' }).waitFor();
    await on.getByLabel('Full name').fill('Billie Buyer');
    await on.getByLabel('Work e-mail address').fill(address);
    await on.getByLabel('Password', { exact: true }).fill(randomBytes(15).toString('base64url'));
    await on.getByRole('button', { name: 'Create the account' }).click();
    await on.getByRole('heading', { level: 1, name: 'Confirm your address' }).waitFor();
    await on.getByLabel('Code from the mail').fill(await codeMailedTo(demo, address));
    await on.getByRole('button', { name: 'Confirm' }).click();
  }

  test('shows what was bought to whoever signed up with its token, and opens nothing before that', async () => {
    bought = marketplace.buy({ email, name: 'Contoso Security' });
    ({ page, context, problems } = await openPage(browser, { address: newAddress() }));
    await signUp(page, email);
    await page.getByRole('heading', { level: 1, name: 'Confirm your purchase' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/signup/azure/confirm');
    expect(page.url()).not.toContain('token');
    for (const fact of ['Contoso Security', 'standard', '20', 'Bought, not activated yet'])
      await page.getByRole('definition').filter({ hasText: fact }).first().waitFor();
    await page.getByText(`Signed in as ${email}.`).waitFor();
    expect(marketplace.calls('activate')).toEqual([]);
    await look(page, 'confirmation of a purchase');
  });

  test('is activated once, however often the button is pressed, and leads to the set-up of an authenticator', async () => {
    await page.getByLabel('Name of the tenant').fill('Contoso Response');
    await page.getByRole('button', { name: 'Activate' }).dblclick();
    await setUpAuthenticator(page);
    await page.getByRole('heading', { level: 2, name: 'Contoso Response' }).waitFor();
    expect(marketplace.calls('activate')).toHaveLength(1);
    expect(marketplace.subscriptions.get(bought.subscription.id)?.saasSubscriptionStatus).toBe('Subscribed');
    // Kept while the sign-up ran, and gone with it.
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])');
    expect(kept).not.toContain(bought.token);
  });

  test('has made one tenant with the plan that was bought, and its buyer the Admin', async () => {
    const api = apiOfBrowser(demo, context);
    const me = await api.call('me.get', {});
    expect(me.allowed_tenants.map(({ fullname }) => fullname)).toEqual(['Contoso Response']);
    const tenant = me.user.tenant;
    expect(me.tenant_roles).toEqual({ [tenant]: 'Admin' });
    expect(me.tenants[tenant]?.sku_info).toEqual(plan);
    await page.goto(`${demo.url}/settings/term-dates`);
    await page.getByRole('heading', { level: 1, name: 'Term dates' }).waitFor();
    await page.getByText('1 of 20 used').waitFor();
    // The first answers to a visitor without a session are refusals the browser reports by itself.
    expect(problems.filter((problem) => !/status of 40[1349]/.test(problem))).toEqual([]);
  });

  test('opened again by its buyer leads to the dashboard, and nothing is activated again', async () => {
    await page.goto(landing());
    await page.getByRole('heading', { level: 1, name: 'You are signed in already' }).waitFor();
    expect(page.url()).not.toContain(encodeURIComponent(bought.token));
    await page.getByRole('button', { name: 'Continue as Billie Buyer' }).click();
    await untilHome(page);
    expect(marketplace.calls('activate')).toHaveLength(1);
    await context.close();
  });

  test('opens nothing for somebody else: the purchase names whom it belongs to', async () => {
    const stranger = await createPerson(demo, 'Admin');
    const opened = await openAs(browser, demo, stranger.visitor);
    await opened.page.goto(landing());
    await opened.page.getByRole('button', { name: `Continue as ${stranger.fullname}` }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Confirm your purchase' }).waitFor();
    await opened.page.getByRole('alert').filter({ hasText: 'This purchase belongs to' }).waitFor();
    expect(await opened.page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
    await opened.context.close();
    expect(marketplace.calls('activate')).toHaveLength(1);
  });

  test.each([
    ['continue', 'Finish your account'],
    ['verify-email', 'Confirm your address'],
    ['reset-password', 'A new password is required'],
    ['second-factor', 'Enter your code'],
  ])(
    'that is left at the step %s of the callback goes on there, and its token leaves the address',
    async (step, heading) => {
      const { token } = marketplace.buy({ email: `${step}@contoso.example`, name: 'Contoso Left Off' });
      const opened = await openPage(browser, { address: newAddress() });
      await opened.page.goto(`${demo.url}/signup/azure/callback/${step}?token=${encodeURIComponent(token)}`);
      await opened.page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(opened.page.url()).not.toContain(encodeURIComponent(token));
      await look(opened.page, `the step ${step} of a purchase`);
      await opened.context.close();
    },
  );

  test('goes on at the callback with an account of its own, up to its confirmation', async () => {
    const address = 'late.buyer@contoso.example';
    const { token } = marketplace.buy({ email: address, name: 'Contoso Late' });
    const opened = await openPage(browser, { address: newAddress() });
    await opened.page.goto(`${demo.url}/signup/azure/callback/continue?token=${encodeURIComponent(token)}`);
    await opened.page.getByLabel('Full name').fill('Lou Late');
    await opened.page.getByLabel('Work e-mail address').fill(address);
    await opened.page.getByLabel('Password', { exact: true }).fill(randomBytes(15).toString('base64url'));
    await opened.page.getByRole('button', { name: 'Create the account' }).click();
    await opened.page.getByLabel('Code from the mail').fill(await codeMailedTo(demo, address));
    await opened.page.getByRole('button', { name: 'Confirm' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Confirm your purchase' }).waitFor();
    await opened.page.getByRole('definition').filter({ hasText: 'Contoso Late' }).first().waitFor();
    await opened.context.close();
  });

  test.each(['callback', 'callback/first-factor'])(
    'whose other account said nothing ends at the sign-in (%s)',
    async (step) => {
      const { token } = marketplace.buy({ email: 'nothing@contoso.example', name: 'Contoso Nothing' });
      const opened = await openPage(browser, { address: newAddress() });
      await opened.page.goto(`${demo.url}/signup/azure/${step}?token=${encodeURIComponent(token)}`);
      await opened.page.getByLabel('E-mail address').waitFor();
      expect(new URL(opened.page.url()).pathname).toBe('/login');
      expect(opened.page.url()).not.toContain(encodeURIComponent(token));
      await opened.context.close();
    },
  );

  test('whose token was made up is refused before an account is made', async () => {
    const opened = await openPage(browser, { address: newAddress() });
    await opened.page.goto(`${demo.url}/signup/azure?token=made-up`);
    await opened.page.getByLabel('Full name').fill('Nobody');
    await opened.page.getByLabel('Work e-mail address').fill('nobody@contoso.example');
    await opened.page.getByLabel('Password', { exact: true }).fill(randomBytes(15).toString('base64url'));
    await opened.page.getByRole('button', { name: 'Create the account' }).click();
    await opened.page.getByRole('alert').first().waitFor();
    expect(new URL(opened.page.url()).pathname).toBe('/signup/azure');
    await opened.context.close();
  });
});

describe('other services for page views and errors', () => {
  test('learn which screens were opened and which calls failed, and nothing of who, what or where exactly', async () => {
    const person = await createPerson(demo, 'Analyst');
    const { page, context, problems } = await openAs(browser, demo, person.visitor);
    // The vendor's library counts no robots, and a browser without a window calls itself one.
    await context.addInitScript({ content: AS_WITH_A_WINDOW });
    await page.goto(`${demo.url}/air/case-management?q=needle.in.the.address`);
    await page.getByRole('heading', { name: 'Case management' }).waitFor();
    await expect
      .poll(() => telemetry.events.map(({ properties }) => properties.route), { timeout: 30_000 })
      .toContain('/air/case-management');

    await page.route(/\/soar\/playbooks(\?|$)/, (route) =>
      route.fulfill({ status: 400, json: { message: 'Not this time.' } }),
    );
    await page.goto(`${demo.url}/playbooks`);
    await page.getByText('Unable to load playbooks').first().waitFor();
    const call = 'GET /api/tenants/{tenant}/soar/playbooks';
    const toldOfIt = () => telemetry.errors.find(({ tags }) => tags.call === call);
    await expect.poll(toldOfIt, { timeout: 30_000 }).toMatchObject({
      level: 'warning',
      tags: { call, status: 400, route: '/playbooks' },
      exception: { values: [{ value: 'Not this time.' }] },
    });
    const told = telemetry.everything();
    for (const hidden of ['needle.in', person.email, demo.url, person.tenant]) expect(told).not.toContain(hidden);
    expect(told).not.toMatch(/eyJ[A-Za-z0-9_-]{10}/);
    // The policy for connections lets them be reached, and no other.
    expect(problems.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
    await context.close();
  });
});
