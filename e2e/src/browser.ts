import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Debian's Chromium with everything off that would look for other hosts. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH ?? candidates.find((path) => existsSync(path));
  if (!executablePath)
    throw new Error('No Chromium was found. Install it (Debian: apt-get install chromium) or set CHROME_PATH.');
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export const desktop = { width: 1360, height: 850 };
export const phone = { width: 390, height: 844 };

/** What the content security policy refused, and where: the console names no place. */
const tellViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  const place = [event.sourceFile, event.lineNumber, event.columnNumber].join(':');
  reportError(new Error([event.violatedDirective, event.blockedURI, event.sample, place].join(' ')));
});`;

const everyPage: string[][] = [];
/** The browser tells these of calls that were refused or cut, which tests do on purpose. */
const ofCalls = /^Failed to load resource|net::ERR_|Failed to fetch/;

/** What went wrong by itself in any page so far: scripts that failed, and what the content security policy refused. */
export function faultsOfPages(): string[] {
  return everyPage.flat().filter((problem) => !ofCalls.test(problem));
}

/**
 * A page that remembers what went wrong in it, so that a test can assert that nothing did. What is still remembered at the end
 * of a test file and is no call's fault fails it (`silent-pages.ts`).
 */
export async function openPage(
  browser: Browser,
  options: {
    viewport?: { width: number; height: number };
    colorScheme?: 'light' | 'dark';
    /** Where the server sees the browser, when it trusts this machine as a proxy. */
    address?: string;
  } = {},
): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
  const context = await browser.newContext({
    viewport: options.viewport ?? desktop,
    colorScheme: options.colorScheme ?? 'dark',
    // What moves only costs the machine's time, and is what clicks miss.
    reducedMotion: 'reduce',
    ...(options.address === undefined ? {} : { extraHTTPHeaders: { 'x-forwarded-for': options.address } }),
  });
  // A busy machine is slow without being wrong.
  context.setDefaultTimeout(60_000);
  await context.addInitScript({ content: tellViolations });
  const page = await context.newPage();
  const problems: string[] = [];
  everyPage.push(problems);
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, context, problems };
}
