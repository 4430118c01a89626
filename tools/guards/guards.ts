/**
 * Guards whose removal a test must notice: the line that guards, what stands there without it, and the test files that fail
 * then. `npm run guards` tries them all; `guards.test.ts` holds every line against the sources, so that none is tried in vain.
 */

const server = 'apps/server/src';
const kit = 'packages/connector-kit/src';

type Guard = { name: string; file: string; line: string; without: string; tests: readonly string[] };

export const guards: readonly Guard[] = [
  {
    name: 'a role that is too low is refused',
    file: `${server}/http/authorization.ts`,
    line: 'return refusal(access, { role: effectiveRole(found, membership), plan: membership.sku_info });',
    without: 'return undefined;',
    tests: [`${server}/http/authorization-sweep.test.ts`],
  },
  {
    name: 'who is no member of a tenant is refused',
    file: `${server}/http/authorization.ts`,
    line: "if (membership === undefined) return 'TENANT_FORBIDDEN';",
    without: 'if (membership === undefined) return undefined;',
    tests: [`${server}/http/authorization-sweep.test.ts`],
  },
  {
    name: 'a session that was ended is refused',
    file: `${server}/modules/identity/identity-verifier.ts`,
    line: 'if (identity.sessionId !== null && (await isSessionLive(identity.sessionId))) return identity;',
    without: 'if (isSessionLive !== undefined) return identity;',
    tests: [`${server}/modules/identity/session-calls.test.ts`],
  },
  {
    name: 'what does not fit the schemas of its route is refused',
    file: `${server}/http/bind-routes.ts`,
    line: 'if (problems.length > 0) throw validationFailed(problems);',
    without: '',
    tests: [`${server}/http/bind-routes.test.ts`],
  },
  {
    name: 'an API key works in its own tenant only',
    file: `${server}/http/authorization.ts`,
    line: 'apiKey === undefined || apiKey.tenant === tenantId ? tenantId : undefined;',
    without: 'tenantId;',
    tests: [`${server}/modules/me/api-keys.test.ts`],
  },
  {
    name: 'a disabled account is refused',
    file: `${server}/http/authorization.ts`,
    line: "if (user.status !== 'active') return 'USER_DISABLED';",
    without: '',
    tests: [`${server}/http/authorization-sweep.test.ts`],
  },
  {
    name: 'without a second factor a session may do nothing',
    file: `${server}/http/authorization.ts`,
    line: "return 'MFA_REQUIRED';",
    without: 'return undefined;',
    tests: [`${server}/http/authorization-sweep.test.ts`],
  },
  {
    name: 'calls that are refused count for whoever makes them',
    file: `${server}/http/authorization.ts`,
    line: 'if (tooMany !== undefined) {',
    without: 'if (tooMany === null) {',
    tests: [`${server}/http/too-many-calls.test.ts`],
  },
  {
    name: 'rows of other tenants are invisible to a tenant’s transactions',
    file: `${server}/storage/tenant-table.ts`,
    line: `using (\${own}) with check (\${own});`,
    without: 'using (true) with check (true);',
    tests: [`${server}/storage/row-level-security.test.ts`],
  },
  {
    name: 'events of other tenants are invisible to a query that forgets its tenant',
    file: `${server}/storage/events-fence.ts`,
    line: `return { additional_table_filters: SettingsMap.from({ [table]: own, [\`\${placement.database}.\${table}\`]: own }) };`,
    without: `return { additional_table_filters: SettingsMap.from({ [\`\${table}_\${own.length}\`]: own }) };`,
    tests: [`${server}/storage/events-store.test.ts`],
  },
  {
    name: 'calls to addresses that are not public are refused',
    file: `${kit}/egress-destination.ts`,
    line: "if (found === 'public' || (await deps.isExcepted(destination, address))) continue;",
    without: 'if (found !== undefined) continue;',
    tests: [`${kit}/egress-guard.test.ts`, `${kit}/egress.test.ts`],
  },
  {
    name: 'redirects of outgoing calls are refused',
    file: `${kit}/egress.ts`,
    line: 'if (answer.statusCode >= 300 && answer.statusCode < 400 && headers.location !== undefined) {',
    without: 'if (answer.statusCode < 0 && headers.location !== undefined) {',
    tests: [`${kit}/egress.test.ts`],
  },
  {
    name: 'secrets of a connector are kept apart from its configuration',
    file: `${kit}/connector-config.ts`,
    line: 'if (!secret.has(field)) plain.push([field, value]);',
    without: 'if (field !== undefined) plain.push([field, value]);',
    tests: [`${kit}/connector-config.test.ts`, `${server}/modules/connectors/connector-routes.test.ts`],
  },
  {
    name: 'a sealed secret opens where it was sealed for, and nowhere else',
    file: `${kit}/secrets.ts`,
    line: "return Buffer.from(JSON.stringify(['secret', 1, tenant, connector, field, version, destination]), 'utf8');",
    without: "return Buffer.from('secret', 'utf8');",
    tests: [`${kit}/secrets.test.ts`],
  },
  {
    name: 'a changed audit record is found',
    file: `${server}/modules/audit/audit-verify.ts`,
    line: "if (record.hash !== auditHash(hash, record)) return broken(record.sequence, 'changed');",
    without: 'if (auditHash(hash, record) === undefined) return broken(record.sequence, `changed`);',
    tests: [`${server}/modules/audit/audit.test.ts`],
  },
  {
    name: 'calls that act on a cookie come from our own pages',
    file: `${server}/http/own-origin.ts`,
    line: `if (origin !== \`\${request.protocol}://\${request.host}\`) throw new AppError('ORIGIN_NOT_ALLOWED');`,
    without: '',
    tests: [`${server}/modules/identity/sign-in.test.ts`, `${server}/modules/system/system.test.ts`],
  },
  {
    name: 'a sign-in leads to our own pages only',
    file: 'packages/domain/src/safe-redirect.ts',
    line: "if (url.origin !== SOMEWHERE || url.username !== '') return HOME;",
    without: 'if (url.origin !== SOMEWHERE) return redirect;',
    tests: ['packages/domain/src/safe-redirect.test.ts'],
  },
  {
    name: 'a cookie that we did not sign is nothing',
    file: `${server}/modules/identity/signed-cookies.ts`,
    line: 'given.length === expected.length && timingSafeEqual(given, expected) ? value : undefined;',
    without: 'given.length >= 0 || timingSafeEqual(given, expected) ? value : undefined;',
    tests: [`${server}/modules/identity/signed-cookies.test.ts`],
  },
  {
    name: 'guessing a password ends after five tries',
    file: `${server}/modules/identity/attempt-guard.ts`,
    line: 'const lockedUntil = failures >= GUESSES_MAX ? new Date(now().getTime() + LOCKED_MS) : null;',
    without: 'const lockedUntil = failures < 0 ? new Date(now().getTime() + LOCKED_MS) : null;',
    tests: [`${server}/modules/identity/sign-in-attacks.test.ts`],
  },
  {
    name: 'a code of the authenticator is good once',
    file: `${server}/modules/identity/second-factor.ts`,
    line: 'return step !== undefined && step > lastStep ? { accepted: true, step } : { accepted: false };',
    without: 'return step !== undefined && step > lastStep - 99 ? { accepted: true, step } : { accepted: false };',
    tests: [`${server}/modules/identity/sign-in-attacks.test.ts`, `${server}/modules/identity/sign-in.test.ts`],
  },
  {
    name: 'a job that names a run of another tenant is put away',
    file: 'packages/engine/src/job-proof.ts',
    line: "if (job.tenantId !== model.row.tenant_id) return refusal(job, 'It names a run of another tenant.');",
    without: '',
    tests: ['packages/engine/src/forged.pg.test.ts'],
  },
  {
    name: 'an expression ends when it takes too much',
    file: 'packages/expression/src/cost-meter.ts',
    line: 'left -= cost;',
    // Without any limit the tests would take all the memory there is.
    without: 'left -= cost / 20;',
    tests: ['packages/expression/src/expression.test.ts'],
  },
  {
    name: 'source made of a person’s schema is read before it becomes a function',
    file: `${server}/modules/actions/schema-check.ts`,
    line: 'process: requireOwnWords',
    without: 'process: (code) => code',
    tests: [`${server}/modules/actions/schema-code.test.ts`],
  },
];
