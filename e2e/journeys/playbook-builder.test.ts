import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sandboxState } from '../src/api.ts';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';
import { look } from '../src/screen-look.ts';

/** Blocked by nobody else. */
const ADDRESS = '203.0.113.93';
const TYPED_ADDRESS = '203.0.113.94';

const demo = inject('demo');
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  const analyst = await createPerson(demo, 'Analyst', { fullname: 'Bea Builder' });
  ({ page, problems } = await openAs(browser, demo, analyst.visitor));
});
afterAll(async () => {
  await browser?.close();
});

const side = () => page.getByRole('complementary', { name: 'Details' });
const graph = () => page.getByRole('application', { name: 'Steps of this playbook' });
const step = (name: string): Locator => graph().getByRole('button', { name: new RegExp(`^${name}, `) });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const saved = () => page.getByText(/^Saved \d/).waitFor();
const blocked = async (address: string) => {
  const { fortigate } = await sandboxState(demo);
  return fortigate.addresses.map(({ subnet }) => subnet).includes(`${address} 255.255.255.255`);
};

async function begin(name: string): Promise<void> {
  await page.goto(`${demo.url}/playbooks/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await button('Open the builder').click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/playbooks\/[0-9a-f-]{36}\/edit$/);
}

/** Each step needs the one before. */
describe('by mouse', () => {
  test('an empty playbook says what to do first', async () => {
    await begin('Block by mouse');
    await page.getByText('Nothing happens yet').waitFor();
    await look(page, 'empty builder');
  });

  test('three steps with a question are built from what is offered', async () => {
    await button('Add an input').click();
    await page.getByRole('textbox', { name: 'Name of input input' }).fill('ip');
    await page.getByRole('combobox', { name: 'Kind of' }).selectOption('IP address');
    await button('Add the first step').click();
    await look(page, 'palette');
    await page.getByRole('textbox', { name: 'Search steps' }).fill('abuseipdb check');
    await button(/^Check IP address/).click();
    await side().getByText('IP address is needed.').waitFor();
    await side().getByRole('radiogroup', { name: 'IP address as' }).getByText('Expression').click();
    await button('Insert reference into IP address').click();
    await button(/^inputs\.ip/).click();
    expect(await page.getByRole('textbox', { name: 'IP address' }).inputValue()).toBe('{{ inputs.ip }}');

    await step('Check IP address').hover();
    await button('Add a step after Check IP address').click();
    await button(/^Ask somebody/).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Block {{ inputs.ip }}?');

    // Dragged to the right of what is there.
    await button('Add step').click();
    await page.getByRole('textbox', { name: 'Search steps' }).fill('fortigate block address');
    await dragInto(button(/^Block address/), step('Ask'));
    await step('Block address').waitFor();
    await button('Run it only if the answer is Yes').click();
    await side().getByRole('radiogroup', { name: 'IPv4 address as' }).getByText('Expression').click();
    await page.getByRole('textbox', { name: 'IPv4 address' }).fill('{{ inputs.ip }}');
    await button('No problems').waitFor();
    await saved();
    await look(page, 'builder with three steps');
  });

  test('lines are drawn by hand; one that would make a circle is refused with a word', async () => {
    await draw('block_address', 'check_ip_address');
    await page.getByText(/^These would wait for each other/).waitFor();
    await draw('check_ip_address', 'block_address');
    await side().getByRole('button', { name: 'No longer run after Check IP address' }).waitFor();
    await button('Undo').click();
    await side().getByRole('button', { name: 'No longer run after Check IP address' }).waitFor({ state: 'detached' });
  });

  test('the text is the same playbook, in both directions', async () => {
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('YAML').click();
    const text = page.getByRole('textbox', { name: 'Playbook as YAML' });
    await text.getByText('check_ip_address').first().waitFor();
    await look(page, 'playbook as YAML');
    await text.press('Control+End');
    await page.keyboard.insertText('  no such: [thing');
    await page.getByText(/^Line \d+: /).waitFor();
    await text.press('Control+z');
    await page.getByText('The same playbook as text.').waitFor();
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Graph').click();
    await step('Block address').waitFor();
  });

  test('a trial asks, and blocks nothing', async () => {
    await button('Try it').click();
    await side().getByRole('textbox', { name: 'Ip' }).fill(ADDRESS);
    await button('Start the trial').click();
    await side().getByRole('button', { name: 'Yes', exact: true }).click();
    await side().getByText('Success', { exact: true }).first().waitFor();
    await step('Block address').click();
    await side().getByRole('region', { name: 'Input', exact: true }).getByText(ADDRESS).waitFor();
    await look(page, 'trial');
    expect(await blocked(ADDRESS)).toBe(false);
    await side().getByRole('button', { name: 'Close' }).click();
  });

  test('published and run for real, it blocks', async () => {
    await button('Publish').click();
    const dialog = page.getByRole('dialog', { name: 'Publish “Block by mouse”?' });
    await dialog.getByRole('textbox', { name: 'What changed' }).fill('First version');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Version 1', { exact: true }).waitFor();
    const { pathname } = new URL(page.url());
    await page.goto(`${demo.url}${pathname.replace(/edit$/, '')}`);
    await page.getByRole('heading', { level: 1, name: 'Block by mouse' }).waitFor();
    await button('Run').click();
    const form = page.getByRole('form', { name: 'Run Block by mouse' });
    await form.getByRole('textbox', { name: 'Ip' }).fill(ADDRESS);
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes', exact: true }).click();
    await expect.poll(() => blocked(ADDRESS), { timeout: 60_000 }).toBe(true);
  });
});

describe('by keyboard alone', () => {
  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);
  /** What is read out where the focus is; of a choice, what is chosen before it. */
  const focused = () =>
    page.evaluate(`(() => {
      const at = document.activeElement;
      if (at === null || at === document.body) return '';
      const group = at.closest('[role="radiogroup"]')?.getAttribute('aria-label') ?? undefined;
      const own = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
      return group === undefined ? own : group + ': ' + own;
    })()`);

  /** Until the focus is where it is wanted; backwards with Shift+Tab. */
  async function goTo(name: RegExp, key = 'Tab'): Promise<void> {
    for (let count = 0; count < 80; count += 1) {
      await press(key);
      if (name.test(String(await focused()))) return;
    }
    throw new Error(`${key} does not lead to ${name}; it is at ${await focused()}.`);
  }

  test('three steps are added, moved among, connected, deleted and brought back', async () => {
    await page.goto(`${demo.url}/playbooks/new`);
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await type('Block by keyboard');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Block by keyboard' }).waitFor();
    await goTo(/^Add the first step$/);
    await press('Enter');
    await type('fortigate get system status');
    await press('Enter');
    await expect.poll(focused).toBe('Get system status');
    await goTo(/^Get system status, /, 'Shift+Tab');
    await press('a');
    await type('ask somebody');
    await press('Enter');
    await step('Ask').waitFor();
    await expect.poll(focused).toBe('Ask');
    await goTo(/^Ask, /, 'Shift+Tab');
    await press('ArrowLeft');
    await expect.poll(focused).toMatch(/^Get system status, /);
    await press('a');
    await type('wait');
    await press('Enter');
    // In between, as the palette said.
    await graph()
      .getByRole('button', { name: /^Ask, .*runs after Wait/ })
      .waitFor();

    await expect.poll(focused).toBe('Wait');
    await goTo(/^Wait, /, 'Shift+Tab');
    await press('Delete');
    await graph()
      .getByRole('button', { name: /^Ask, .*runs after Get system status/ })
      .waitFor();
    await press('Control+z');
    await step('Wait').waitFor();
    await press('Control+Shift+z');
    await step('Wait').waitFor({ state: 'detached' });
    await expect.poll(focused).toMatch(/^Get system status, /);
    await press('ArrowRight');
    await expect.poll(focused).toMatch(/^Ask, /);
    await press('Enter');
    await expect.poll(focused).toBe('Ask');
  });

  test('what is wrong is found, put right and saved without a mouse', async () => {
    await button('1 problem').waitFor();
    await goTo(/^1 problem$/, 'Shift+Tab');
    await press('Enter');
    await side().getByText('Write what is asked.').waitFor();
    await goTo(/Write what is asked/);
    await press('Enter');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Question' }).evaluate((each) => each.matches(':focus')))
      .toBe(true);
    await type('Go on?');
    await button('No problems').waitFor();
    await press('Control+s');
    await saved();
    await page.reload();
    await graph()
      .getByRole('button', { name: /^Ask, Question, runs after Get system status$/ })
      .waitFor();
    await graph().getByText('Go on?').waitFor();
  });

  test('an order is taken away and set again where no line can be drawn by hand', async () => {
    await step('Ask').focus();
    await press('Enter');
    await goTo(/^No longer run after Get system status$/);
    await press('Enter');
    await graph()
      .getByRole('button', { name: /^Ask, .*runs at the start/ })
      .waitFor();
    // The focus went on to the choice of what it runs after.
    await type('Get');
    await graph()
      .getByRole('button', { name: /^Ask, .*runs after Get system status/ })
      .waitFor();
    await saved();
  });

  /** The focus goes to the text of the field, behind what was put in. */
  async function pickInput(field: string, key = 'Tab'): Promise<void> {
    await goTo(new RegExp(`^Insert reference into ${field}$`), key);
    await press('Enter');
    await expect.poll(focused).toBe('Search references');
    await type('inputs ip');
    await press('Enter');
    await expect.poll(focused).toMatch(new RegExp(`^${field}`));
  }

  async function fillWithInput(field: string): Promise<void> {
    await goTo(new RegExp(`^${field} as: Value$`));
    await press('ArrowRight');
    await expect.poll(focused).toBe(`${field} as: Expression`);
    await pickInput(field);
    expect(await page.getByRole('textbox', { name: field }).inputValue()).toBe('{{ inputs.ip }}');
  }

  test('what it is given is named, and three steps take it by picking it', async () => {
    await page.goto(`${demo.url}/playbooks/new`);
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await type('Block what is typed');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Block what is typed' }).waitFor();
    await goTo(/^Add an input$/);
    await press('Enter');
    await goTo(/^Name of input input$/, 'Shift+Tab');
    await press('Control+a');
    await type('ip');
    await press('Tab');
    await expect.poll(focused).toBe('Kind of ip');
    await type('IP address');

    await goTo(/^Add the first step$/, 'Shift+Tab');
    await press('Enter');
    await type('abuseipdb check');
    await press('Enter');
    await expect.poll(focused).toBe('Check IP address');
    await fillWithInput('IP address');

    await goTo(/^Check IP address, /, 'Shift+Tab');
    await press('a');
    await type('ask somebody');
    await press('Enter');
    await expect.poll(focused).toBe('Ask');
    await goTo(/^Question/);
    await type('Block ');
    await pickInput('Question', 'Shift+Tab');
    await type('?');

    await goTo(/^Ask, /, 'Shift+Tab');
    await press('a');
    await type('fortigate block address');
    await press('Enter');
    await expect.poll(focused).toBe('Block address');
    await goTo(/^Run it only if the answer is Yes$/);
    await press('Enter');
    await fillWithInput('IPv4 address');
    await button('No problems').waitFor();
    await graph()
      .getByRole('button', { name: /^Ask, Question, runs after Check IP address$/ })
      .waitFor();
    await graph().getByText('Block {{ inputs.ip }}?').waitFor();
    await saved();
  });

  test('it is tried with sample inputs where it is built, and blocks nothing', async () => {
    await goTo(/^Try it$/, 'Shift+Tab');
    await press('Enter');
    await goTo(/^Ip/);
    await type(TYPED_ADDRESS);
    await press('Enter');
    await side().getByText(`Block ${TYPED_ADDRESS}?`).waitFor();
    await goTo(/^Yes$/);
    await press('Enter');
    await side().getByText('Success', { exact: true }).first().waitFor();
    expect(await blocked(TYPED_ADDRESS)).toBe(false);
  });

  test('it is published, run for real and its question answered, and then it blocks', async () => {
    await goTo(/^Publish$/, 'Shift+Tab');
    await press('Enter');
    await expect.poll(focused).toBe('What changed');
    await type('First version');
    await goTo(/^Publish$/);
    await press('Enter');
    await page.getByText('Version 1', { exact: true }).waitFor();
    await goTo(/^Playbooks$/, 'Shift+Tab');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Playbooks' }).waitFor();
    await page.getByRole('row', { name: 'Block what is typed' }).waitFor();
    await goTo(/^Search playbooks/);
    await type('what is typed');
    await page.getByRole('row', { name: 'Phishing triage' }).waitFor({ state: 'detached' });
    await press('Tab');
    await press('j');
    await press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByText('3 steps').waitFor();
    await goTo(/^About$/);
    await press('ArrowRight');
    await goTo(/^Ip/);
    await type(TYPED_ADDRESS);
    await press('Enter');
    await drawer.getByText(`Block ${TYPED_ADDRESS}?`).waitFor();
    expect(await blocked(TYPED_ADDRESS)).toBe(false);
    await goTo(/^Yes$/);
    await press('Enter');
    await expect.poll(() => blocked(TYPED_ADDRESS), { timeout: 60_000 }).toBe(true);
  });
});

test('the browser had nothing to complain about', () => {
  expect(problems).toEqual([]);
});

async function dragInto(from: Locator, to: Locator): Promise<void> {
  await from.dragTo(to);
}

/** From the right side of one step to the left side of another. */
async function draw(from: string, to: string): Promise<void> {
  const handle = (id: string, end: 'source' | 'target') =>
    page.locator(`.react-flow__handle.${end}[data-nodeid="${id}"]`);
  // A graph that was just drawn is still fitted to its place; the mouse waits for nothing.
  await handle(from, 'source').click({ trial: true });
  const start = await handle(from, 'source').boundingBox();
  const end = await handle(to, 'target').boundingBox();
  if (start === null || end === null) throw new Error('There is nothing to draw from or to.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 });
  await page.mouse.up();
}
