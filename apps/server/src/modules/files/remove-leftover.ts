import type { Files } from './files-port.ts';

type Dependencies = {
  files: Pick<Files, 'remove'>;
  log: { warn(fields: object, message: string): void };
};

/**
 * Removes a file whose row is gone, or never came. What was asked for is done by then, and is answered so: what the store does
 * not take away now, a sweep does later (orphan-sweep.ts).
 */
export async function removeLeftover({ files, log }: Dependencies, id: string): Promise<void> {
  try {
    await files.remove(id);
  } catch (error) {
    log.warn({ err: error, file: id }, 'a file that nobody needs could not be removed now');
  }
}
