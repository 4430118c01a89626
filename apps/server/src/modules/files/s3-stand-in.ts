/**
 * An S3 that is not ours, from npm, on loopback and in a temporary folder; for tests. A process of its own, because what
 * marks its pages is made with a cipher that OpenSSL 3 has only in its legacy provider.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FilesBucket, filesBucketOf } from '../../config/files-bucket.ts';

const require = createRequire(import.meta.url);

/** The key pair it knows; it refuses what is signed with another. */
const KEY = 'S3RVER';

const program = `
const Server = require(process.argv[1]);
const options = { address: '127.0.0.1', port: 0, silent: true, directory: process.argv[2] };
new Server({ ...options, configureBuckets: [{ name: process.argv[3] }] }).run().then(({ port }) => process.send(port));
process.on('disconnect', () => process.exit());
`;

export type S3StandIn = { url: string; bucket: FilesBucket; close(): Promise<void> };

export async function startS3StandIn(name = 'air-files'): Promise<S3StandIn> {
  const directory = mkdtempSync(join(tmpdir(), 'airdeck-s3-'));
  const server = require.resolve('@20minutes/s3rver');
  const child = spawn(process.execPath, ['--openssl-legacy-provider', '-e', program, server, directory, name], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  const url = `s3://${KEY}:${KEY}@127.0.0.1:${port}/${name}?tls=false`;
  const bucket = filesBucketOf(url);
  if (bucket === undefined) throw new Error('The stand-in has no usable address.');
  return {
    url,
    bucket,
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
