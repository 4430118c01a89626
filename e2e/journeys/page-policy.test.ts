import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { createPerson, openAs } from '../src/people.ts';

const demo = inject('demo');
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
});

/** Each way to make a script or an element of a text, and one way that only styles. */
const attempts = {
  'markup as innerHTML': `document.createElement('div').innerHTML = '<img src=x onerror="document.title=1">'`,
  'an end tag as innerHTML': `document.createElement('style').innerHTML = '</style ><script>1</script>'`,
  'markup beside an element': `document.body.firstElementChild.insertAdjacentHTML('beforebegin', '<svg onload=1>')`,
  'a document of a text': `new DOMParser().parseFromString('<p>one</p>', 'text/html')`,
  'the text of a script': `document.createElement('script').text = 'document.title = 2'`,
  'the address of a script': `document.createElement('script').src = '/first-paint.js'`,
  'an event handler': `document.body.setAttribute('onclick', 'document.title = 3')`,
  evaluation: `(0, eval)('1')`,
  'another policy': `trustedTypes.createPolicy('own', { createHTML: (text) => text })`,
  'a style sheet': `document.createElement('style').innerHTML = '@media (width < 10em) { p > a { color: red } }'`,
};

/** What came of them. What a script runs at once is the debugger's, which may evaluate; later it is the page's. */
async function tried(page: Page): Promise<unknown> {
  const all = Object.entries(attempts).map(([name, code]) => `${JSON.stringify(name)}: () => { ${code}; }`);
  return await page.evaluate(`new Promise((resolve) => setTimeout(resolve)).then(() =>
    Object.fromEntries(Object.entries({ ${all.join(', ')} }).map(([name, attempt]) => {
      try { attempt(); return [name, 'done']; } catch (error) { return [name, error.name]; }
    })))`);
}

test('nothing on a page can make a script or an element of a text', async () => {
  const { visitor } = await createPerson(demo, 'Analyst');
  const { page, context, problems } = await openAs(browser, demo, visitor);
  await page.goto(`${demo.url}/home`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await tried(page)).toEqual({
    'markup as innerHTML': 'TypeError',
    'an end tag as innerHTML': 'TypeError',
    'markup beside an element': 'TypeError',
    'a document of a text': 'TypeError',
    'the text of a script': 'TypeError',
    'the address of a script': 'TypeError',
    'an event handler': 'TypeError',
    evaluation: 'EvalError',
    'another policy': 'TypeError',
    'a style sheet': 'done',
  });
  expect(await page.title()).not.toMatch(/^[123]$/);
  await context.close();
  // Each of them was told, some only after the answer; none comes from a page that is closed.
  expect(problems.splice(0).length).toBeGreaterThan(8);
});

test('a style element that nobody but the page itself could have written does not apply', async () => {
  const { visitor } = await createPerson(demo, 'Analyst');
  const { page, context, problems } = await openAs(browser, demo, visitor);
  await page.goto(`${demo.url}/home`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const applied = await page.evaluate(`(() => {
    document.head.appendChild(document.createElement('style')).textContent = ':root { --from-outside: yes }';
    const looks = getComputedStyle(document.documentElement);
    return ['--from-outside', '--mantine-color-body'].map((name) => looks.getPropertyValue(name) !== '');
  })()`);
  expect(applied).toEqual([false, true]);
  await context.close();
  expect(problems.splice(0).join()).toContain('style-src');
});
