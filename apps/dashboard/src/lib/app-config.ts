import type { DashboardConfig, Stage } from '@airdeck/contracts/system/schema';

/** Every problem of the runtime configuration, named as in `/config.json`; empty when it can be used. */
export type ConfigResult = { config: DashboardConfig } | { problems: readonly string[] };

const stages: readonly Stage[] = ['dev', 'prod', 'local'];

const filled = ['api_base_url', 'analytics_key', 'analytics_host', 'identity_publishable_key'] as const;
const named = ['product_name', 'product_short_name', 'release'] as const;

/**
 * Checks the runtime configuration (spec §5) by hand: a schema library would be the largest part of the first chunk.
 * All problems are reported together, so that nobody fixes them one page load at a time.
 */
export function parseConfig(value: unknown): ConfigResult {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: ['The configuration is not a JSON object.'] };
  }
  // What holds where it is not said.
  const given: Record<string, unknown> = { target_stage: 'local', mock_data: false, ...value };
  const problems: string[] = [];
  for (const name of [...filled, ...named]) {
    if (typeof given[name] !== 'string') problems.push(`${name} must be a text, not ${kindOf(given[name])}.`);
    else if (given[name].trim() === '') problems.push(`${name} must not be empty.`);
  }
  if (typeof given.error_reporting_dsn !== 'string') {
    problems.push(
      `error_reporting_dsn must be a text (empty switches reporting off), not ${kindOf(given.error_reporting_dsn)}.`,
    );
  }
  if (!stages.some((stage) => stage === given.target_stage)) {
    problems.push(`target_stage must be one of ${stages.join(', ')}, not ${quoted(given.target_stage)}.`);
  }
  if (typeof given.mock_data !== 'boolean') {
    problems.push(`mock_data must be true or false, not ${quoted(given.mock_data)}.`);
  }
  const key = given.identity_publishable_key;
  if (typeof key === 'string' && key !== '' && key !== 'local' && !/^pk_(test|live)_/.test(key)) {
    problems.push('identity_publishable_key must be "local", or start with pk_test_ or pk_live_.');
  }
  return problems.length === 0 ? { config: given as DashboardConfig } : { problems };
}

/** Loads and checks the configuration; whatever goes wrong comes back as problems to show. */
export async function loadConfig(fetchConfig: () => Promise<Response>): Promise<ConfigResult> {
  let response: Response;
  try {
    response = await fetchConfig();
  } catch {
    return { problems: ['The server cannot be reached, so /config.json could not be loaded.'] };
  }
  if (!response.ok) return { problems: [`/config.json answered with status ${response.status}.`] };
  try {
    return parseConfig(await response.json());
  } catch {
    return { problems: ['/config.json is not valid JSON.'] };
  }
}

function quoted(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  return value === null ? 'null' : `a ${typeof value}`;
}
