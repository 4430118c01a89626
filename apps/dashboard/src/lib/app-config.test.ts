import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from './app-config.ts';

const good = {
  api_base_url: '/',
  error_reporting_dsn: '',
  analytics_key: 'local',
  analytics_host: '/collect',
  identity_publishable_key: 'local',
  target_stage: 'local',
  mock_data: true,
  product_name: 'AIRdeck',
  product_short_name: 'AIR',
  release: '1.14.2',
};

const problemsOf = (value: unknown) => {
  const result = parseConfig(value);
  return 'problems' in result ? result.problems : [];
};

describe('runtime configuration', () => {
  test('a whole one is taken; the error-reporting address may be empty', () => {
    expect(parseConfig(good)).toEqual({ config: good });
  });

  test('without a stage it is a local one, and without a word about it no data is made up (spec §5)', () => {
    const { target_stage: _stage, mock_data: _data, ...said } = good;
    expect(parseConfig(said)).toEqual({ config: { ...good, target_stage: 'local', mock_data: false } });
  });

  test('all problems are listed at once, each by name', () => {
    const names = Object.keys(good).filter((name) => name !== 'target_stage' && name !== 'mock_data');
    const problems = problemsOf({});
    expect(problems).toHaveLength(names.length);
    for (const name of names) expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
  });

  test.each([
    [{ api_base_url: ' ' }, 'api_base_url must not be empty.'],
    [{ target_stage: 'staging' }, 'target_stage must be one of dev, prod, local, not "staging".'],
    [{ mock_data: 'true' }, 'mock_data must be true or false, not "true".'],
    [{ analytics_key: 7 }, 'analytics_key must be a text, not a number.'],
    [
      { identity_publishable_key: 'sk_live_x' },
      'identity_publishable_key must be "local", or start with pk_test_ or pk_live_.',
    ],
  ])('%j says what is wrong', (change, problem) => {
    expect(problemsOf({ ...good, ...change })).toEqual([problem]);
  });

  test.each([null, [], 'text', 7])('%j is no configuration', (value) => {
    expect(problemsOf(value)).toEqual(['The configuration is not a JSON object.']);
  });

  test.each([
    [
      () => Promise.reject(new TypeError('fetch failed')),
      'The server cannot be reached, so /config.json could not be loaded.',
    ],
    [() => Promise.resolve(new Response('', { status: 503 })), '/config.json answered with status 503.'],
    [() => Promise.resolve(new Response('<html>')), '/config.json is not valid JSON.'],
  ])('a configuration that does not load is a problem to show, case %#', async (fetchConfig, problem) => {
    expect(await loadConfig(fetchConfig)).toEqual({ problems: [problem] });
  });
});
