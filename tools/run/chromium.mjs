import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { canInstallPackages, installPackage } from './debian-package.mjs';

/** Chromium without what is around its pages: what Playwright itself runs where nobody looks, and quicker. */
const SHELL = 'chromium-headless-shell';
const WHOLE = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium for the browser journeys; where there is none, the quickest is installed if that is possible here. */
export async function requireTestChromium() {
  const found = findChromium([SHELL, ...WHOLE]);
  if (found !== undefined) return found;
  if (!process.env.CHROME_PATH && canInstallPackages()) installPackage(SHELL);
  return findChromium([SHELL]) ?? (await requireChromium());
}

/** Path of a whole Chromium, installed as the Debian package if that is possible here. */
export async function requireChromium() {
  const found = findChromium(WHOLE);
  if (found !== undefined) return found;
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH is "${process.env.CHROME_PATH}", which cannot be run.`);
  if (!canInstallPackages()) {
    throw new Error(
      'The browser journeys need Chromium or Chrome. Install it (Debian and Ubuntu: apt-get install chromium) or set CHROME_PATH, or leave them out with npm run check.',
    );
  }
  const problem = installPackage('chromium');
  const installed = findChromium(WHOLE);
  if (installed === undefined)
    throw new Error(`Chromium could not be installed:\n${problem ?? 'no program was found'}`);
  return installed;
}

/** `CHROME_PATH`, or the first of these there is: names on the path, or paths. */
function findChromium(names) {
  const { CHROME_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen) return [chosen].find(isExecutable);
  const folders = path.split(delimiter).filter(isAbsolute);
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
