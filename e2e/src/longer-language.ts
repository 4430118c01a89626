import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const dashboard = new URL('../../apps/dashboard/', import.meta.url);
/** Stands in every text that came through a catalogue. */
const MARK = 'ë';

/** By a reason of the server the catalogue has a sentence, too, whose English stands elsewhere. */
const REASON = /^[A-Z\d]+(_[A-Z\d]+)+(\.suggestion)?$/;

/** What the dashboard asks its catalogues for, and the text that stands for it: in English, of a reason in Portuguese. */
function catalogueTexts(): [key: string, text: string][] {
  const folder = new URL('src/language/pt-BR/', dashboard);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => Object.entries<string>(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
    .map(([key, portuguese]) => [key, REASON.test(key) ? portuguese : key]);
}

/** A language that exists here only: English, each text at 130 % of its length. It takes the place of Portuguese. */
export async function speakLonger(page: Page): Promise<void> {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync(new URL('dist/.vite/manifest.json', dashboard), 'utf8'),
  );
  const texts = Object.fromEntries(catalogueTexts().map(([key, text]) => [key, longer(text)]));
  const body = `export const texts = ${JSON.stringify(texts)};`;
  // Not by routes of Playwright: with those every screen loads every script anew, from no cache.
  const devTools = await page.context().newCDPSession(page);
  devTools.on('Fetch.requestPaused', ({ requestId }) => {
    const responseHeaders = [{ name: 'content-type', value: 'text/javascript' }];
    const answer = { requestId, responseCode: 200, responseHeaders, body: Buffer.from(body).toString('base64') };
    // A page that is left meanwhile waits for no answer.
    devTools.send('Fetch.fulfillRequest', answer).catch(() => undefined);
  });
  const patterns = ['entry', 'screens'].map((part) => {
    const file = manifest[`src/language/pt-BR/${part}.ts`]?.file;
    if (file === undefined) throw new Error(`The build has no catalogue "${part}" of its own.`);
    return { urlPattern: `*/${file}` };
  });
  await devTools.send('Fetch.enable', { patterns });
  await page.addInitScript("localStorage.setItem('airdeck.locale', 'pt-BR')");
}

function longer(text: string): string {
  const shown = text.split('##', 1)[0] ?? text;
  const words = shown.trimEnd();
  const filler = MARK.repeat(Math.max(1, Math.ceil(words.replace(/\{\w+\}|<\/?\w+>/g, '').length * 0.3)));
  // A long text grows by words, a short one by letters, as languages do.
  const more = words.includes(' ') ? (filler.match(/.{1,8}/g) ?? []).map((part) => ` ${part}`).join('') : filler;
  return words + more + shown.slice(words.length);
}

/** Looked for from outside the page: its content security policy lets nothing inside be made from text. */
const READ_TEXTS = `
  (() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = { marked: 0, cut: [], plain: [], wider: scrollWidth - clientWidth };
    const known = new Set(KNOWN);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.data.trim();
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (text === '' || box.width < 2 || box.height < 2) continue;
      if (known.has(text)) found.plain.push(text);
      if (!text.includes(MARK)) continue;
      found.marked += 1;
      for (let around = node.parentElement; around !== null; around = around.parentElement) {
        const style = getComputedStyle(around);
        const frame = around.getBoundingClientRect();
        // Only for screen readers.
        if (style.clipPath !== 'none' || frame.width <= 1) break;
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') break;
        // One moves about in a graph as well.
        if (around.classList.contains('react-flow')) break;
        if (style.overflowX === 'visible') continue;
        if (box.right > frame.right + 1 || box.left < frame.left - 1) {
          found.cut.push(text);
          break;
        }
      }
    }
    return found;
  })()`;

type TextFaults = {
  /** How many texts came through a catalogue; of none there would be nothing to find. */
  marked: number;
  cut: string[];
  plain: string[];
  /** Pixels the screen is wider than the page. */
  wider: number;
};

/** Names the product gives to what it stores: what others made shows them as data, in the language of whoever made it. */
const storedNames = new Set(['Connect your first systems']);

/** A single word may be data that happens to be one of the texts. */
const knownTexts = catalogueTexts()
  .map(([key]) => key)
  .filter((text) => /\S\s\S+\s\S/.test(text) && !text.includes('{') && !storedNames.has(text));

const readTexts = READ_TEXTS.replace('KNOWN', () => JSON.stringify(knownTexts)).replace('MARK', () =>
  JSON.stringify(MARK),
);

/** Texts of the screen that are cut, and English ones that went past the catalogue although it has them. */
export async function textFaults(page: Page): Promise<TextFaults> {
  return (await page.evaluate(readTexts)) as TextFaults;
}
