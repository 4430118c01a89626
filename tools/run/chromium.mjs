import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { canInstallPackages, installPackage } from './debian-package.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Path of a Chromium for the browser journeys, installed as the Debian package if that is possible here. */
export async function requireChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH is "${process.env.CHROME_PATH}", which cannot be run.`);
  if (!canInstallPackages()) {
    throw new Error(
      'The browser journeys need Chromium or Chrome. Install it (Debian and Ubuntu: apt-get install chromium) or set CHROME_PATH, or leave them out with npm run check.',
    );
  }
  const problem = installPackage('chromium');
  const installed = findChromium();
  if (installed === undefined)
    throw new Error(`Chromium could not be installed:\n${problem ?? 'no program was found'}`);
  return installed;
}

function findChromium() {
  const { CHROME_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen) return [chosen].find(isExecutable);
  const folders = path.split(delimiter).filter(isAbsolute);
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC].find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
