import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop, phone } from './browser.ts';

/** Evaluated from outside the page: its content security policy lets nothing inside be made from text. */
const RUNNING_ANIMATIONS = 'document.getAnimations().filter((each) => each.playState === "running").length';
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/** A theme changes nothing but colours, so that the rest is judged once for each width. */
const looks = [
  { theme: 'dark', viewport: desktop, rules: undefined },
  { theme: 'light', viewport: desktop, rules: ['color-contrast'] },
  { theme: 'light', viewport: phone, rules: undefined },
  { theme: 'dark', viewport: phone, rules: ['color-contrast'] },
] as const;

/** A screen in both themes and both widths: nothing for axe to find, nothing wider than the page, a proper title. */
export async function look(page: Page, name: string): Promise<void> {
  for (const { theme, viewport, rules } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(viewport);
    // Colours fade from one theme to the other; what axe should judge is where they end.
    await expect.poll(() => page.evaluate(RUNNING_ANIMATIONS), { timeout: 20_000 }).toBe(0);
    expect(await findings(page, rules), `${name}, ${theme}, ${viewport.width} px`).toEqual([]);
    expect(await page.evaluate(OVERFLOW), `${name} is wider than ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  expect(await page.title()).toMatch(/^.+ \| .+$/);
}

/**
 * What axe finds by these rules, by all when none are named, but without what costs most and finds nothing here: its usual mode
 * opens a second page for frames of other origins, and describes what passed as fully as what failed. Our screens have no
 * frames, which is looked at too.
 */
async function findings(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: [...rules] }) })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
