import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

function problemsOf(env: Record<string, string>): readonly { variable: string; message: string }[] {
  try {
    readConfig(env, '1.14.2');
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('configuration', () => {
  it('needs no variable at all', () => {
    const config = readConfig({}, '1.14.2');
    expect(config).toMatchObject({
      stage: 'local',
      role: 'all',
      dataDir: './data',
      mockData: true,
      http: { host: '127.0.0.1', port: 4000, publicUrl: undefined, trustedProxies: [] },
      stores: { databaseUrl: undefined, eventsUrl: undefined },
    });
    expect(config.dashboard).toEqual({
      api_base_url: '/',
      error_reporting_dsn: '',
      analytics_key: 'local',
      analytics_host: '/',
      identity_publishable_key: 'local',
      target_stage: 'local',
      mock_data: true,
      product_name: 'AIRdeck',
      product_short_name: 'AIR',
      release: '1.14.2',
    });
  });

  it.each([
    ['PORT', '65536', '"65536" is not usable; expected a whole number from 0 to 65535'],
    ['PORT', '-1', '"-1" is not usable; expected a whole number from 0 to 65535'],
    ['PORT', '4e3', '"4e3" is not usable; expected a whole number from 0 to 65535'],
    ['TARGET_STAGE', 'production', '"production" is not usable; expected dev, prod or local'],
    ['ROLE', 'web', '"web" is not usable; expected all, api, worker or ingest'],
    ['MOCK_DATA', 'yes', '"yes" is not usable; expected true or false'],
    [
      'PUBLIC_URL',
      'air.example.com',
      '"air.example.com" is not usable; expected an address such as https://air.example.com',
    ],
    [
      'TRUSTED_PROXIES',
      '10.0.0.0/8,proxy',
      '"10.0.0.0/8,proxy" is not usable; expected a comma-separated list of addresses or networks such as 10.0.0.0/8',
    ],
    [
      'IDENTITY_PUBLISHABLE_KEY',
      'sk_live_abc',
      '"sk_live_abc" is not usable; expected local or a key such as pk_test_…',
    ],
  ])('refuses %s=%s and says what is expected', (variable, value, message) => {
    expect(problemsOf({ [variable]: value })).toEqual([{ variable, message }]);
  });

  it('lists all problems at once, each with its variable', () => {
    const problems = problemsOf({ PORT: 'x', TARGET_STAGE: 'y', LOG_LEVEL: 'z', ROLE: 'worker' });
    expect(problems.map((problem) => problem.variable)).toEqual([
      'PORT',
      'TARGET_STAGE',
      'LOG_LEVEL',
      'DATABASE_URL',
      'EVENTS_URL',
    ]);
  });

  it('never repeats the value of a variable that may hold a password', () => {
    const [problem] = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/air' });
    expect(problem?.variable).toBe('DATABASE_URL');
    expect(problem?.message).not.toContain('hunter2');
  });

  it('lets a role run on its own only with shared stores', () => {
    const problems = problemsOf({ ROLE: 'api', DATABASE_URL: 'postgresql://db/air' });
    expect(problems).toEqual([{ variable: 'EVENTS_URL', message: expect.stringContaining('ROLE api') }]);
  });

  it('treats an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '', HOST: ' ' }, '1.14.2').http).toMatchObject({ port: 4000, host: '127.0.0.1' });
  });

  it('makes no demo data outside stage local, and never in production', () => {
    expect(readConfig({ TARGET_STAGE: 'dev' }, '1.14.2').mockData).toBe(false);
    expect(problemsOf({ TARGET_STAGE: 'prod', MOCK_DATA: 'true' })).toEqual([
      { variable: 'MOCK_DATA', message: expect.stringContaining('prod') },
    ]);
  });
});
