import { type Config, readConfig } from './config.ts';
import { release } from './release.ts';

/** The configuration of this process. Throws `ConfigError`. */
export function processConfig(): Config {
  return readConfig(process.env, release);
}
