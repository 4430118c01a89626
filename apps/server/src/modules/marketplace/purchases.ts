/**
 * Purchases as the landing page shows them. The token of the address proves that somebody bought something, never who is
 * here: it goes to the marketplace in a header, is remembered as a hash for a minute, and stands in no log and no record.
 */
import { createHash } from 'node:crypto';
import type { SignupDetails } from '@airdeck/contracts/marketplace/schema';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import type { DirectoryId } from '../sso/sso-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { MarketplaceClient, ResolvedPurchase } from './marketplace-client.ts';
import { findSubscription } from './marketplace-repository.ts';

const KEPT_FOR_MS = 60_000;
const KEPT_MAX = 1000;
/** What a header can carry; tokens are text of base64 or URLs. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** Who is signed in, as far as it decides whose purchase it is. */
export type Buyer = {
  readonly issuer: string;
  readonly subject: string;
  readonly externalId: string | null;
  /** Lower case; null when their provider knows none or has not verified it. */
  readonly verifiedEmail: string | null;
  readonly fullname: string;
  /** Who they are in directories of Microsoft. */
  readonly directories: readonly DirectoryId[];
};

export type Purchases = {
  /** Asks the marketplace now. Throws MARKETPLACE_TOKEN_INVALID, MARKETPLACE_UNAVAILABLE. */
  resolve(token: string, requestId: string): Promise<ResolvedPurchase>;
  /** Answers up to a minute old. */
  details(
    token: string,
    visitor: { buyer: Buyer; caller: Pick<Caller, 'userId'> | undefined; requestId: string },
  ): Promise<SignupDetails>;
  /** Whether the marketplace knows the token; such an answer, too, may be a minute old. */
  isGenuine(token: string): Promise<boolean>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  client: Pick<MarketplaceClient, 'resolve'>;
  tenants: Pick<TenantsService, 'findMembership'>;
  ids: () => string;
  now: () => Date;
};

export function createPurchases(deps: Dependencies): Purchases {
  const answers = createReadCache<ResolvedPurchase | undefined>({
    keptForMs: KEPT_FOR_MS,
    max: KEPT_MAX,
    now: deps.now,
  });
  answers.setOn(true);

  async function resolve(token: string, requestId: string): Promise<ResolvedPurchase> {
    return await deps.client.resolve(landingToken(token), requestId);
  }

  /** "No such purchase" is remembered like every other answer, failures are not. */
  function recent(token: string, requestId: string): Promise<ResolvedPurchase | undefined> {
    const hash = createHash('sha256').update(token).digest('base64');
    return answers.get(hash, () => resolve(token, requestId).catch(undefinedWhenInvalid));
  }

  return {
    resolve,
    async details(token, { buyer, caller, requestId }) {
      const purchase = await recent(token, requestId);
      if (purchase === undefined) throw new AppError('MARKETPLACE_TOKEN_INVALID');
      const isForCaller = isFor(purchase, buyer);
      const tenant = caller === undefined ? null : await linkedTenant(deps, purchase.id, caller.userId);
      const shown = (email: string | null) => (isForCaller || email === null ? email : masked(email));
      return {
        subscription_id: purchase.id,
        subscription_name: nameOf(purchase),
        offer_id: purchase.offerId ?? '',
        plan_id: purchase.planId,
        quantity: purchase.quantity ?? null,
        status: purchase.saasSubscriptionStatus,
        is_test: purchase.isTest === true,
        beneficiary_email: shown(purchase.beneficiary?.emailId ?? null),
        purchaser_email: shown(purchase.purchaser?.emailId ?? null),
        is_for_caller: isForCaller,
        tenant,
        user_linked: tenant !== null,
      };
    },
    isGenuine: async (token) => (await recent(token, deps.ids())) !== undefined,
  };
}

/** Whether it is the beneficiary or the purchaser who is here. */
export function isFor({ beneficiary, purchaser }: ResolvedPurchase, buyer: Buyer): boolean {
  return [beneficiary, purchaser].some((party) => party != null && isParty(party, buyer));
}

type Party = NonNullable<ResolvedPurchase['beneficiary']>;

/**
 * Ids in a directory never pass on to somebody else; an address may. So where somebody shows an account of the party's
 * own directory, the ids decide, and the verified address only where there is none to compare.
 */
function isParty({ emailId, tenantId, objectId }: Party, { directories, verifiedEmail }: Buyer): boolean {
  const own = tenantId == null || objectId == null ? [] : directories.filter(({ tenant }) => tenant === tenantId);
  if (own.length > 0) return own.some(({ object }) => object === objectId);
  return verifiedEmail !== null && emailId === verifiedEmail;
}

export function nameOf({ subscriptionName, name }: ResolvedPurchase): string {
  return subscriptionName ?? name ?? 'Azure subscription';
}

/**
 * The address was decoded once before it came here. Where it carried a bare `+`, which means a space in a query, that is
 * made good: no token holds a space.
 */
function landingToken(text: string): string {
  const token = text.replaceAll(' ', '+');
  if (!TOKEN.test(token)) throw new AppError('MARKETPLACE_TOKEN_INVALID');
  return token;
}

function undefinedWhenInvalid(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'MARKETPLACE_TOKEN_INVALID') return undefined;
  throw error;
}

/** The tenant a purchase opened, for its members only. */
async function linkedTenant(deps: Dependencies, subscription: string, userId: string) {
  return await deps.db.system(async (tx) => {
    const row = await findSubscription(tx, subscription);
    if (row === undefined || row.state === 'opened') return null;
    const membership = await deps.tenants.findMembership(tx, userId, row.tenant_id);
    return membership === undefined ? null : { id: membership.id, name: membership.name };
  });
}

/** Enough to recognise one's own address, not enough to learn somebody else's. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
