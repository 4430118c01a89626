import type { Page } from 'playwright-core';

/** What a person does on the screens of the sign-in. */

export async function typePassword(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The boxes send the code by themselves once the last digit is in. */
export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Digit 1 of 6').click();
  await page.keyboard.type(code);
}

export async function untilHome(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Welcome to your AIR' }).waitFor();
}
