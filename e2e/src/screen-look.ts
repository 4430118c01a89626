import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop, phone } from './browser.ts';

/** Evaluated from outside the page: its content security policy lets nothing inside be made from text. */
export const RUNNING_ANIMATIONS = 'document.getAnimations().filter((each) => each.playState === "running").length';
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
/**
 * A theme changes nothing but colours, and a width few of them, so each screen is judged in two of the four looks, and its contrast,
 * which is most of the time of axe, at the first; its neighbours in the two others, which shows what they share in all.
 */
const pairs = [
  [
    { theme: 'dark', viewport: desktop, contrast: true },
    { theme: 'light', viewport: phone, contrast: false },
  ],
  [
    { theme: 'light', viewport: desktop, contrast: true },
    { theme: 'dark', viewport: phone, contrast: false },
  ],
] as const;
/** All four, with contrast. */
const allLooks = pairs.flat().map((each) => ({ ...each, contrast: true }));

/** A screen on desktop and phone, in a theme each: nothing for axe to find, nothing wider than the page, a proper title. */
export async function look(page: Page, name: string): Promise<void> {
  const looks = process.env.AIRDECK_FULL === undefined ? pairs[pairOf(name)] : allLooks;
  for (const { theme, viewport, contrast } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(viewport);
    // Colours fade from one theme to the other; what axe should judge is where they end.
    await expect.poll(() => page.evaluate(RUNNING_ANIMATIONS), { timeout: 20_000 }).toBe(0);
    expect(await findings(page, { contrast }), `${name}, ${theme}, ${viewport.width} px`).toEqual([]);
    expect(await page.evaluate(OVERFLOW), `${name} is wider than ${viewport.width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  expect(await page.title()).toMatch(/^.+ \| .+$/);
}

/** The same at every run, whichever screens are looked at. */
function pairOf(name: string): 0 | 1 {
  return name.length % 2 === 0 ? 0 : 1;
}

/**
 * What axe finds, but without what costs most and finds nothing here: its usual mode opens a second page for frames of other
 * origins, and describes what passed as fully as what failed. Our screens have no frames, which is looked at too.
 */
async function findings(page: Page, { contrast }: { contrast: boolean }): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: contrast } } })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
