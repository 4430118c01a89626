import { randomBytes } from 'node:crypto';
import type { Role } from '@airdeck/contracts/access/roles';
import type { Browser, BrowserContext } from 'playwright-core';
import type { DemoFile } from './airdeck-process.ts';
import { adminOf, apiOf } from './api.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { openPage } from './browser.ts';
import { invitationOf } from './mails.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export type Person = {
  email: string;
  fullname: string;
  password: string;
  tenant: string;
  authenticator: Authenticator;
  recoveryCodes: readonly string[];
  /** Signed in; handed over to the first browser that opens as this person. */
  visitor: Visitor;
};

/** Nobody else's, in any journey. */
export function newEmail(): string {
  return `person.${randomBytes(6).toString('hex')}@meridian-foods.example`;
}

type Given = { fullname?: string; tenant?: string };

/** Invited by the Admin of a tenant of the demo, signed up and with an authenticator, through the calls of the screens. */
export async function createPerson(
  demo: DemoFile,
  role: Role,
  { fullname = 'Robin Example', tenant = 'Meridian Foods' }: Given = {},
): Promise<Person> {
  const email = newEmail();
  const admin = adminOf(demo, tenant);
  await apiOf(demo, admin).call('users.invite', { params: { tenant: admin.tenant }, body: { email, fullname, role } });
  return await acceptInvitation(demo, { email, fullname, tenant: admin.tenant });
}

/** Whoever was invited, signed up and with an authenticator. */
export async function acceptInvitation(
  demo: DemoFile,
  { email, fullname, tenant }: Pick<Person, 'email' | 'fullname' | 'tenant'>,
): Promise<Person> {
  const password = randomBytes(15).toString('base64url');
  const { ticket } = await invitationOf(demo, email);
  const visitor = createVisitor(demo.url);
  await visitor.post('/auth/sign-up/ticket', { ticket, fullname, password });
  const { token } = await visitor.get<{ token: string }>('/auth/token');
  await visitor.post('/signup/invite', { ticket }, { authorization: `Bearer ${token}` });
  const { secret } = await visitor.post<{ secret: string }>('/auth/totp/begin');
  const authenticator = createAuthenticator(secret);
  const confirmed = await visitor.post<{ recovery_codes: string[] }>('/auth/totp/confirm', {
    code: authenticator.nextCode(),
  });
  return {
    ...{ email, fullname, password, tenant, authenticator },
    recoveryCodes: confirmed.recovery_codes,
    visitor,
  };
}

/** Another session of the same person. */
export async function signInAgain(demo: DemoFile, person: Person): Promise<Visitor> {
  const visitor = createVisitor(demo.url);
  await visitor.post('/auth/sign-in/email', { email: person.email, password: person.password });
  await visitor.post('/auth/two-factor/verify-totp', { code: person.authenticator.nextCode() });
  return visitor;
}

/** A browser in which the visitor goes on; its cookies belong to the browser from here on. */
export async function openAs(browser: Browser, demo: DemoFile, visitor: Visitor) {
  const opened = await openPage(browser, { address: visitor.address });
  await handOver(opened.context, demo, visitor);
  return opened;
}

async function handOver(context: BrowserContext, demo: DemoFile, visitor: Visitor): Promise<void> {
  await context.addCookies(visitor.cookies().map((cookie) => ({ ...cookie, url: demo.url, httpOnly: true })));
}
