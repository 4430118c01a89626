import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { requireChromium } from '../run/chromium.mjs';
import { inRoot } from '../run/root.mjs';
import { auditOf } from './lighthouse.mjs';
import { metricOf } from './metrics.mjs';
import { freePort, makeDataDir, startServer } from './running-server.mjs';

/** On an empty folder the demo writes its past for the first minute. */
const SETTLE_MS = 75_000;
const pages = { login: '/login', home: '/home', cases: '/air/case-management', search: '/search' };
const units = { lcp: 'ms', tbt: 'ms', cls: '', score: '' };
const WARM = ['/home', '/air/case-management', '/playbooks', '/integrations', '/activity/actions'];
const SLOWED_BY = 4;

/** The dashboard as an Analyst of the demo sees it, from the production build. */
export async function runUiBench({ full }) {
  const dataDir = makeDataDir();
  const server = await startServer(dataDir.path);
  try {
    await wait(SETTLE_MS);
    const browser = await openBrowser();
    try {
      const figures = {};
      for (const [name, path] of Object.entries(pages)) {
        if (name === 'home') await signIn(browser.page, server.url);
        const rounds = full ? 5 : 3;
        const url = server.url + path;
        Object.assign(figures, await audited(name, url, { browser, device: 'desktop', rounds }));
        Object.assign(figures, await audited(`${name}_mobile`, url, { browser, device: 'mobile', rounds }));
      }
      await browser.page.goto(server.url + pages.home);
      await contentOf(browser.page, '/home');
      figures.warm_navigation_p95 = metricOf(
        [percentile(await warmNavigations(browser.page, full ? 100 : 40), 0.95)],
        'ms',
      );
      figures.heap_growth = metricOf([await heapGrowth(browser.page)], 'MB');
      const presses = await interactions(browser.page, server.url);
      figures.interactions = metricOf([presses.length], '');
      figures.inp_worst = metricOf([Math.max(...presses.map(({ ms }) => ms))], 'ms');
      for (const { what, ms } of presses) console.error(`    ${ms.toFixed(0).padStart(5)} ms  ${what}`);
      return figures;
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
    dataDir.remove();
  }
}

async function audited(name, url, { browser, device, rounds }) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await auditOf(url, { port: browser.port, device }));
    console.error(`    ${name}, round ${round + 1} of ${rounds}`);
  }
  const entries = Object.entries(units).map(([key, unit]) => [
    `${name}_${key}`,
    metricOf(
      results.map((result) => result[key]),
      unit,
    ),
  ]);
  return Object.fromEntries(entries);
}

async function openBrowser() {
  const { chromium } = createRequire(inRoot('e2e/package.json'))('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'airdeck-bench-browser-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await requireChromium(),
    viewport: { width: 1360, height: 850 },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', `--remote-debugging-port=${port}`],
    ],
  });
  await context.addInitScript({ content: `window.hasContent = ${hasContent}` });
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    port,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

async function signIn(page, url) {
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: /Ana Souza/ }).click();
  await page.waitForURL((address) => address.pathname === '/home');
  await contentOf(page, '/home');
}

/** Resolves when the screen of the path shows its heading and nothing says that it is loading. */
async function contentOf(page, path) {
  await page.waitForFunction((target) => window.hasContent(target), path);
}

/** Runs in the page. */
function hasContent(path) {
  const main = document.querySelector('main');
  return (
    window.location.pathname === path &&
    main?.querySelector('h1') !== null &&
    main?.querySelector('[aria-busy="true"]') === null
  );
}

async function warmNavigations(page, count) {
  const taken = [];
  for (const path of WARM) await follow(page, path);
  for (let at = 0; at < count; at++) taken.push(await follow(page, WARM[at % WARM.length]));
  return taken;
}

/** Milliseconds from the click on the rail to the frame that shows the screen's content. */
async function follow(page, path) {
  await page.locator(`nav a[href^="${path}"]`).first().hover();
  return await page.evaluate(
    (target) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        document.querySelector(`nav a[href^="${target}"]`).click();
        const look = () => {
          if (window.hasContent(target)) resolve(performance.now() - started);
          else if (performance.now() - started > 20_000) reject(new Error(`${target} did not show its content`));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    path,
  );
}

async function heapGrowth(page) {
  const session = await page.context().newCDPSession(page);
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024;
  };
  const before = await used();
  for (let at = 0; at < 200; at++) await follow(page, WARM[at % WARM.length]);
  const grown = (await used()) - before;
  await session.detach();
  return grown;
}

/** The longest event of each of 14 interactions, from the press to the next frame, with the processor slowed down. */
async function interactions(page, url) {
  await page.goto(`${url}/air/case-management`);
  await contentOf(page, '/air/case-management');
  await page.evaluate(() => {
    window.longestEvent = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longestEvent = Math.max(window.longestEvent, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_BY });
  const measured = [];
  for (const [what, press] of Object.entries(steps)) {
    await page.evaluate(() => {
      window.longestEvent = 0;
    });
    await press(page);
    // Events are told some frames later.
    await wait(700);
    measured.push({ what, ms: await page.evaluate(() => window.longestEvent) });
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return measured;
}

const steps = {
  'open the palette': (page) => page.keyboard.press('Control+k'),
  'type into the palette': (page) => page.keyboard.type('cas'),
  'go down the palette': (page) => page.keyboard.press('ArrowDown'),
  'close the palette': (page) => page.keyboard.press('Escape'),
  'open the notifications': (page) => page.getByRole('button', { name: /^Notifications/ }).click(),
  'close the notifications': (page) => page.keyboard.press('Escape'),
  'open the appearance': (page) => page.getByRole('button', { name: 'Appearance' }).click(),
  'choose the light scheme': (page) => page.getByRole('menuitemradio', { name: 'Light' }).click(),
  'open the account menu': (page) => page.getByRole('button', { name: /^Account of/ }).click(),
  'close the account menu': (page) => page.keyboard.press('Escape'),
  'select a case': (page) => page.getByRole('row').nth(1).getByRole('checkbox').click(),
  'search in the list': async (page) => {
    await page.getByRole('searchbox').first().click();
    await page.keyboard.type('sign', { delay: 60 });
  },
  'go to the playbooks': (page) => page.locator('nav a[href^="/playbooks"]').first().click(),
  'go to the search': (page) => page.locator('nav a[href^="/search"]').first().click(),
};

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}
