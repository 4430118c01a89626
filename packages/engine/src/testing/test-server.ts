import { inject } from 'vitest';

/** The PostgreSQL server the tests use: their own when the variable names one, else the suite's. */
export function testServerUrl(): string {
  return process.env.ENGINE_TEST_DATABASE_URL ?? inject('postgresUrl');
}
