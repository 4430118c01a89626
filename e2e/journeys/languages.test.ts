import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiOfBrowser, demoPlaybook, sandboxConnector } from '../src/api.ts';
import { desktop, launchBrowser, openPage, phone } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { speakLonger, textFaults } from '../src/longer-language.ts';
import { createPerson, openAs } from '../src/people.ts';

const demo = inject('demo');
/** What is laid out by script follows the width a frame later. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';
const PATIENT = { timeout: 30_000 };
/** Of the set-up wizard. */
const STEPS = ['allow-list', 'reachability', 'source'] as const;
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

const languageOf = (page: Page) => page.evaluate('document.documentElement.lang');

test('a browser that reads Portuguese signs in in Portuguese, and the profile decides afterwards', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const context = await browser.newContext({ locale: 'pt-BR', viewport: desktop, reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`${demo.url}/login`);
  await page.getByLabel('Endereço de e-mail').fill(person.email);
  expect(await languageOf(page)).toBe('pt-BR');
  await page.getByLabel('Senha', { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByText('O endereço de e-mail ou a senha não está correto.').waitFor();
  await page.getByLabel('Senha', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByLabel('Dígito 1 de 6').click();
  await page.keyboard.type(person.authenticator.nextCode());
  // The profile is American English.
  await page.getByRole('link', { name: 'Cases', exact: true }).waitFor();
  expect(await languageOf(page)).toBe('en');
  await context.close();
});

test('the language follows the profile, there and back', async () => {
  const person = await createPerson(demo, 'ReadOnly');
  const { page, context, problems } = await openAs(browser, demo, person.visitor);
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByLabel('Locale').selectOption('pt-BR');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Perfil' }).waitFor();
  expect(await languageOf(page)).toBe('pt-BR');
  await page.getByRole('link', { name: 'Casos', exact: true }).waitFor();
  await page.goto(`${demo.url}/activity/actions`);
  await page.getByRole('heading', { level: 1, name: 'Execuções de ações' }).waitFor();
  await page.goto(`${demo.url}/settings/profile`);
  await page.getByLabel('Idioma e região').selectOption('en-CA');
  await page.getByRole('button', { name: 'Salvar alterações' }).click();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  expect(await languageOf(page)).toBe('en');
  expect(problems).toEqual([]);
  await context.close();
});

describe('a language a third longer', () => {
  let page: Page;
  let context: BrowserContext;

  /** Everything that is to be seen is there. */
  const untilQuiet = async () => {
    // What a tab that is not shown loads can wait.
    const busy = page.locator('[aria-busy="true"], .mantine-Skeleton-root').filter({ visible: true });
    await expect.poll(() => busy.count(), PATIENT).toBe(0);
    await expect
      .poll(async () => {
        const { marked, ...faults } = await textFaults(page);
        return { ...faults, spoken: marked > 0 };
      }, PATIENT)
      .toEqual({ cut: [], plain: [], wider: 0, spoken: true });
  };

  const fits = async (address: string) => {
    await page.setViewportSize(desktop);
    await page.goto(demo.url + address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await untilQuiet();
    await page.setViewportSize(phone);
    await page.evaluate(NEXT_FRAMES);
    await untilQuiet();
  };

  afterAll(async () => {
    await context?.close();
  });

  test.each(['/login', '/forgot-password', '/confirm-code', '/signup/invite', '/outbox'])(
    'fits before the sign-in: %s',
    async (address) => {
      const opened = await openPage(browser);
      ({ page, context } = opened);
      await speakLonger(page);
      await fits(address);
      await context.close();
    },
  );

  describe('behind the sign-in', () => {
    /** Single things, by what their addresses begin with. */
    const ids: Record<string, string | undefined> = {};

    beforeAll(async () => {
      const person = await createPerson(demo, 'Admin');
      const opened = await openAs(browser, demo, person.visitor);
      ({ page, context } = opened);
      await speakLonger(page);
      const api = apiOfBrowser(demo, context);
      await api.call('me.update', { body: { locale: 'pt-BR' } });
      const guessing = await openGuessingCase(demo, '192.0.2.167');
      ids['/air/case-management'] = guessing.id;
      ids['/air/policy-management'] = guessing.policy_id ?? undefined;
      ids['/activity/playbooks'] = guessing.alert_responses[0]?.workflow_instance_id;
      ids['/playbooks'] = (await demoPlaybook(demo, 'Block a guessing address')).id;
      ids['/integrations'] = (await sandboxConnector(demo)).id;
      const { id } = await api.call('onboarding.save', {
        params: { tenant: person.tenant, id: randomUUID() },
        body: { kind: 'connector', title: 'Plant systems', step: 'source', steps: [...STEPS], data: {} },
      });
      ids['/set-up'] = id;
    });

    test.each<readonly [string, string]>([
      ['/air/case-management', ''],
      ['/air/policy-management', '/edit'],
      ['/air/policy-management', '/edit?view=json'],
      ['/activity/playbooks', ''],
      ['/playbooks', ''],
      ['/playbooks', '/edit'],
      ['/playbooks', '/edit?view=yaml'],
      ['/integrations', ''],
      ...STEPS.map((step) => ['/set-up', `?step=${step}`] as const),
    ])('fits a single thing of %s%s', async (start, end) => {
      await fits(`${start}/${ids[start]}${end}`);
    });

    test.each([
      '/home',
      '/graylog/alerts',
      '/set-up',
      '/air/policy-management/new',
      '/settings/profile',
      '/settings/contact-directory',
      '/settings/term-dates',
      '/settings/tenant-settings',
      '/settings/tenant-settings?panel=details',
      '/settings/tenant-settings?panel=sign-in',
      '/settings/tenant-settings?panel=retention',
      '/settings/tenant-settings?panel=audit',
      '/settings/tenant-settings?panel=automation',
      '/activity/actions',
      '/activity/playbooks',
      '/actions',
      '/overview',
      '/air/overview',
      '/air/case-management',
      '/air/policy-management',
      '/air/automation-settings',
      '/playbooks',
      '/playbooks/new',
      '/integrations',
      '/integrations/sources',
      '/graylog/event-definitions',
      '/report/graylog',
      '/report/soar',
      '/report/air',
      '/mdr/executive-reports',
      '/search',
      '/settings/notifications',
    ])('fits: %s', fits);
  });
});
