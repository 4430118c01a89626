import type { Page } from 'playwright-core';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

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

export async function signOut(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/logout`);
  await page.getByLabel('E-mail address').waitFor();
}

/** From the set-up of an authenticator to the dashboard; gives the authenticator that was set up. */
export async function setUpAuthenticator(page: Page): Promise<Authenticator> {
  await page.getByRole('heading', { name: 'Set up your authenticator' }).waitFor();
  const link = page.getByRole('link', { name: 'Open your authenticator app' });
  const secret = new URL((await link.getAttribute('href')) ?? '').searchParams.get('secret') ?? '';
  const authenticator = createAuthenticator(secret);
  await page.getByRole('button', { name: 'It is in my app' }).click();
  await page.getByRole('heading', { name: 'Enter the app’s code' }).waitFor();
  await typeCode(page, authenticator.nextCode());
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  await page.getByLabel('I have saved them').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await untilHome(page);
  return authenticator;
}
