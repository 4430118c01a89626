import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop, phone } from './browser.ts';

/** Evaluated from outside the page: its content security policy lets nothing inside be made from text. */
export const RUNNING_ANIMATIONS = 'document.getAnimations().filter((each) => each.playState === "running").length';
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/**
 * A theme changes nothing but colours, and a width few of them, so each screen is judged by axe in one of the four looks, and its
 * width in the opposite one too; its neighbour in another, which shows what they share in more than one.
 */
const pairs = [
  [
    { theme: 'dark', viewport: desktop, judged: true },
    { theme: 'light', viewport: phone, judged: false },
  ],
  [
    { theme: 'dark', viewport: desktop, judged: false },
    { theme: 'light', viewport: phone, judged: true },
  ],
  [
    { theme: 'light', viewport: desktop, judged: true },
    { theme: 'dark', viewport: phone, judged: false },
  ],
  [
    { theme: 'light', viewport: desktop, judged: false },
    { theme: 'dark', viewport: phone, judged: true },
  ],
] as const;
/** All four, each judged. */
const allLooks = [pairs[0], pairs[2]].flat().map((each) => ({ ...each, judged: true }));

/** A screen on desktop and phone, in a theme each: nothing for axe to find, nothing wider than the page, a proper title. */
export async function look(page: Page, name: string): Promise<void> {
  const looks = process.env.AIRDECK_FULL === undefined ? pairs[pairOf(name)] : allLooks;
  for (const { theme, viewport, judged } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(viewport);
    // Colours fade from one theme to the other; what axe should judge is where they end.
    await expect.poll(() => page.evaluate(RUNNING_ANIMATIONS), { timeout: 20_000 }).toBe(0);
    if (judged) expect(await findings(page), `${name}, ${theme}, ${viewport.width} px`).toEqual([]);
    expect(await page.evaluate(OVERFLOW), `${name} is wider than ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  expect(await page.title()).toMatch(/^.+ \| .+$/);
}

/** The same at every run, whichever screens are looked at. */
function pairOf(name: string): 0 | 1 | 2 | 3 {
  return (name.length % 4) as 0 | 1 | 2 | 3;
}

/**
 * What axe finds, but without what costs most and finds nothing here: its usual mode opens a second page for frames of other
 * origins, and describes what passed as fully as what failed. Our screens have no frames, which is looked at too.
 */
async function findings(page: Page): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
