import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { launchBrowser } from '../src/browser.ts';
import { openGuessingCase } from '../src/guessing-case.ts';
import { createPerson, openAs } from '../src/people.ts';

const demo = inject('demo');
/** A4 upright at 96 dots per inch, without its margins of 10 mm. */
const sheet = { width: 718, height: 1047 };

/** Printing lays out without telling the page: a chart keeps the words it had room for on the screen. */
const ON_PAPER = `
  const Watching = window.ResizeObserver;
  window.ResizeObserver = class extends Watching {
    constructor(changed) {
      super((entries, observer) => {
        if (!matchMedia('print').matches) changed(entries, observer);
      });
    }
  };`;

/** What lies outside of its panel or of the sheet, in words. */
const OUTSIDE = `(() => {
  const parts = '[data-chart], [data-chart] span, section, table, dl > div > *, p, time';
  const out = [];
  for (const element of document.querySelectorAll(parts)) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const frame = (element.parentElement.closest('section') ?? document.body).getBoundingClientRect();
    const isIn = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.right <= ${sheet.width} + 1;
    const isAbove = !element.closest('[data-chart]') || box.bottom <= frame.bottom + 1;
    if (!isIn || !isAbove) out.push(element.tagName + ' ' + element.textContent.slice(0, 40) + JSON.stringify(box));
  }
  return out;
})()`;

let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  // A case and a run, so that each chart has something to show.
  await openGuessingCase(demo, '192.0.2.83');
  const admin = await createPerson(demo, 'Admin', { fullname: 'Piet Printer' });
  ({ page, problems } = await openAs(browser, demo, admin.visitor));
  await page.addInitScript(ON_PAPER);
});
afterEach(() => page.emulateMedia({ media: 'screen' }));
afterAll(() => browser?.close());

test.each([
  ['/home', 'Log volume'],
  ['/air/overview', 'Busiest policies'],
  ['/report/soar', 'Runs by day'],
  ['/report/graylog', 'Busiest hosts'],
])('on a sheet of A4 every chart of %s is as wide as its panel, and nothing is cut off', async (path, heading) => {
  await page.goto(`${demo.url}${path}`);
  await page.getByRole('heading', { level: 2, name: heading }).first().waitFor();
  const bars = page.locator('[data-chart] [data-series]');
  await bars.first().waitFor();
  const screen = page.viewportSize() ?? sheet;
  const sameOnPaper = async () => {
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize(screen);
    const drawn = await bars.count();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize(sheet);
    return (await bars.count()) === drawn;
  };
  // A case that opens between the two counts may add a bar.
  await expect.poll(sameOnPaper).toBe(true);
  expect(await page.evaluate(OUTSIDE)).toEqual([]);
});

test('the browser had nothing to complain about', () => {
  expect(problems).toEqual([]);
});
