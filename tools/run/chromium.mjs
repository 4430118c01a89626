import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { startTicker } from './ticker.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Path of a Chromium for the browser journeys, installed as the Debian package if that is possible here. */
export async function requireChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env.CHROME_PATH) throw new Error(`CHROME_PATH is "${process.env.CHROME_PATH}", which cannot be run.`);
  if (!canInstall()) {
    throw new Error(
      'The browser journeys need Chromium or Chrome. Install it (Debian and Ubuntu: apt-get install chromium) or set CHROME_PATH, or leave them out with npm run check.',
    );
  }
  const done = startTicker('Installing Chromium (Debian package)');
  const problem = installPackage();
  done(problem === undefined ? 'done' : 'failed');
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

function canInstall() {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

/** Undefined when it went well, otherwise the last words of apt-get. */
function installPackage() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) return `${stdout}${stderr}`.trim().split('\n').slice(-10).join('\n');
  }
  return undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
