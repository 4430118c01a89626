import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { adminOf, apiOf } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

const TENANT = 'Meridian Foods';
/** The title of the description, and of nothing else. */
const NAME = 'Sandbox watch';
/** More than fit on any screen, and more than one import takes. */
const ITEMS = 300;

const demo = inject('demo');
const address = `http://127.0.0.1:${demo.ports.sandbox}`;
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  const manager = await createPerson(demo, 'SystemManager', { fullname: 'Imke Importer', tenant: TENANT });
  ({ page, problems } = await openAs(browser, demo, manager.visitor));
});
afterAll(async () => {
  await browser?.close();
});

/** The sandbox as somebody would describe it: what it was called with, and many more that it does not know. */
const description = `
openapi: 3.0.3
info:
  title: ${NAME}
  version: '2.1'
  description: What the sandbox was called with.
servers:
  - url: ${address}
paths:
  /sandbox/state:
    get:
      operationId: getState
      summary: Look at the calls
      tags: [Watch]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /sandbox/photo:
    post:
      summary: Add a photo
      tags: [Watch]
      requestBody: { content: { image/png: { schema: { type: string } } } }
      responses: {}
${Array.from({ length: ITEMS }, (_, n) => `  /items/${n}:\n    delete: { summary: Delete item ${n}, tags: [Items], responses: {} }`).join('\n')}
`;

const box = (name: string | RegExp) => page.getByRole('checkbox', { name });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const operations = () => page.getByRole('list', { name: 'Operations' }).getByRole('listitem');
const importButton = () => page.getByRole('button', { name: 'Import', exact: true });
const card = () => page.getByRole('list', { name: 'Catalog' }).getByRole('listitem').filter({ hasText: NAME });

async function upload(name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'application/yaml', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

/** Each step needs the one before. */
test('what is no description says why, and the next file is read', async () => {
  await page.goto(`${demo.url}/integrations/new`);
  await page.getByRole('link', { name: 'Import an API' }).click();
  await heading('Import an API').waitFor();
  await look(page, 'upload of a description');
  await upload('notes.yaml', 'just: notes');
  await page.getByText('The document does not say that it is OpenAPI 3.0, 3.1 or Swagger 2.0.').waitFor();
  await upload('sandbox.yaml', description);
  await page.getByRole('region', { name: NAME }).getByText('2.1').waitFor();
  await page.getByText('302, 1 of which cannot be imported').waitFor();
  await page.getByText(/The address in the document is not encrypted/).waitFor();
});

test('of hundreds of operations those in sight are drawn, found and chosen, and no more than an import takes', async () => {
  await box('All of Items').waitFor();
  expect(await operations().count()).toBeLessThan(60);
  await look(page, 'operations of a description');
  await box('All of Items').check();
  await page.getByText('300 of 302 chosen · 300 destroy something').waitFor();
  await page.getByText('At most 100 operations become one integration. Choose fewer.').waitFor();
  await box('All of Items').uncheck();
  await importButton().click();
  await page.getByText('Choose the operations that become actions.').waitFor();
  await page.getByLabel('Search operations').fill('watch');
  await box('All of Items').waitFor({ state: 'detached' });
  expect(await box(/Add a photo/).isDisabled()).toBe(true);
  await box(/Look at the calls/).check();
  await page.getByText('1 of 302 chosen').waitFor();
});

test('imported, it is connected like any other, and its action runs', async () => {
  await page.getByLabel('How it signs in').selectOption({ label: 'Nothing: it asks for no credentials' });
  await importButton().click();
  await heading(`Connect ${NAME}`).waitFor();
  const imported = page.getByRole('region', { name: 'Imported' });
  await imported.getByText('This tenant only').waitFor();
  expect(await page.getByRole('textbox', { name: 'Address of the API' }).inputValue()).toBe(address);
  await page.getByRole('link', { name: 'Look at the calls' }).waitFor();
  await look(page, 'form of an imported integration');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading(NAME).waitFor();

  await page.goto(`${demo.url}/actions`);
  await page.getByLabel('Search actions').fill('look at the calls');
  await page.getByRole('button', { name: /^Look at the calls/ }).click();
  const drawer = page.getByRole('dialog').filter({ has: page.getByRole('region', { name: 'Recent runs' }) });
  await drawer.getByRole('button', { name: 'Run', exact: true }).click();
  await drawer.getByRole('region', { name: 'Result' }).getByText('Success', { exact: true }).waitFor();
});

test('the catalogue of this tenant has it, that of another does not', async () => {
  await page.goto(`${demo.url}/integrations/new`);
  await card().getByText('Imported · this tenant only').waitFor();
  const other = adminOf(demo, 'Harbor Clinics');
  const integrations = await apiOf(demo, other).call('integrations.list', { params: { tenant: other.tenant } });
  expect(integrations.map(({ name }) => name)).not.toContain(NAME);
});

test('it is deleted once nothing uses it, after the question', async () => {
  const remove = () => page.getByRole('region', { name: 'Imported' }).getByRole('button', { name: 'Delete…' });
  await card().getByRole('link').click();
  await remove().click();
  await page.getByText(`${NAME} is still used by`).waitFor();
  const connector = page.getByRole('region', { name: 'Integrations' }).getByRole('row').filter({ hasText: NAME });
  await page.goto(`${demo.url}/integrations`);
  await connector.click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await confirm(page.getByRole('dialog', { name: `Delete ${NAME}?` }));
  await page.getByText(`${NAME} deleted`).waitFor();

  await page.goto(`${demo.url}/integrations/new`);
  await card().getByRole('link').click();
  await remove().click();
  await confirm(page.getByRole('dialog', { name: `Delete ${NAME}?` }));
  await heading('Add an integration').waitFor();
  await card().waitFor({ state: 'detached' });
});

test('the browser had nothing to complain about but what was refused and asked', () => {
  expect(problems.filter((problem) => !/status of (449|400|409)/.test(problem))).toEqual([]);
});

async function confirm(question: Locator): Promise<void> {
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
}
