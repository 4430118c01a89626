/**
 * The keys of a backup. Before the dump, which may take an hour, they are read and a file of their own is written, so that
 * what cannot be is known at once. After it they are read again: a key that was made meanwhile may have sealed rows of the
 * dump. What ends in between leaves no file, or, with its process, a whole one that still is of this installation.
 */
import { rm } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { Manifest } from './backup-manifest.ts';
import { keysSha256, readKeysOf, rewriteKeyFile, writeKeyFile } from './key-bundle.ts';
import { writePlain } from './packed-file.ts';

/** A path keeps them outside the backup. */
export type KeysWanted = { kept: 'inside' } | { kept: 'elsewhere'; path: string } | { kept: 'no' };

type Options = {
  config: Pick<Config, 'dataDir' | 'connectorKeysFile' | 'identitySecret'>;
  folder: string;
  keys: KeysWanted;
  say: (line: string) => void;
};

export type KeptKeys = { finish(): Promise<Manifest['keys']>; takeAway(): Promise<void> };

export async function beginKeys({ config, folder, keys, say }: Options): Promise<KeptKeys> {
  const nothing = async () => undefined;
  const secretElsewhere =
    config.identitySecret === undefined ? '' : ' IDENTITY_SECRET is set in the environment: keep its value as well.';
  if (keys.kept === 'no') {
    const finish = async () => {
      say(
        `Keys: NOT in this backup. Without connector-keys.json and identity.secret of the data folder nobody can open the connectors' secrets in it or keep people signed in: keep them elsewhere, or use --keys <file> or --with-keys.${secretElsewhere}`,
      );
      return { kept: 'no' } as const;
    };
    return { finish, takeAway: nothing };
  }
  const before = await readKeysOf(config);
  if (keys.kept === 'elsewhere') {
    const { path } = keys;
    await writeKeyFile(path, before);
    const finish = async () => {
      const text = await readKeysOf(config);
      if (text !== before) await rewriteKeyFile(path, text);
      say(`Keys: in ${path}, readable by you only. Keep it apart from the backup.${secretElsewhere}`);
      return { kept: 'elsewhere', sha256: keysSha256(text) } as const;
    };
    return { finish, takeAway: () => rm(path, { force: true }) };
  }
  const finish = async () => {
    const text = await readKeysOf(config);
    const file = await writePlain(
      folder,
      'keys.json',
      (async function* () {
        yield Buffer.from(text);
      })(),
    );
    say(
      `Keys: IN the backup (keys.json). Whoever has this folder can open the connectors' secrets and sign in as anybody: guard it like the installation itself.${secretElsewhere}`,
    );
    return { kept: 'inside', file } as const;
  };
  return { finish, takeAway: nothing };
}
