import type { Role } from '@airdeck/contracts/access/roles';
import type { Told } from '@airdeck/contracts/filled-text';
import type { SsoKind } from '@airdeck/contracts/settings/schema';

/** What the issuer sent somebody away for, or why its answer does not count. Told to the dashboard, never with details. */
export const externalFailures = {
  ACCESS_DENIED: 'The sign-in was cancelled, or the other provider refused it.',
  ISSUER_UNREACHABLE: 'The other provider cannot be reached right now.',
  ISSUER_REFUSED: 'The other provider refused this installation. Its administrator has to look at the connection.',
  ANSWER_INVALID: 'The answer of the other provider could not be trusted.',
} as const;

export type ExternalFailureReason = keyof typeof externalFailures;

/** Thrown by the OpenID Connect client. `detail` is for the person who sets the connection up; never a code or token. */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure';
  readonly reason: ExternalFailureReason;
  readonly detail: Told;

  constructor(reason: ExternalFailureReason, detail: Told, options?: { cause?: unknown }) {
    super(externalFailures[reason], options);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Whether and as what somebody new becomes a member by signing in. */
export type JoinRule = {
  readonly enabled: boolean;
  readonly defaultRole: Role | null;
  readonly groupsClaim: string;
  readonly groupRoles: readonly { readonly group: string; readonly role: Role }[];
};

/** An issuer people may sign in with. */
export type Connection = {
  /** A uuid, or the name of one of the installation's own. */
  readonly id: string;
  /** Null for the installation's own, which are for everybody. */
  readonly tenant: string | null;
  readonly kind: SsoKind;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The secret in the clear, for the time of one call; undefined for a public client. */
  readonly openSecret: () => Promise<string | undefined>;
  /** As the connection names them; on their own they count for nothing. */
  readonly domains: readonly string[];
  /** Those of them the tenant has proved to be its own. */
  readonly provedDomains: readonly string[];
  readonly join: JoinRule;
};

export type ConnectionChoice = Pick<Connection, 'id' | 'kind' | 'label'>;

/** Enabled connections, of all tenants and of the installation. */
export interface Connections {
  /** The installation's own; with an e-mail address those of the tenant that has proved its domain come first. */
  list(email: string | undefined): Promise<ConnectionChoice[]>;
  /** Those of the tenants the user is a member of in their own right, whatever their address, then the installation's. */
  listFor(userId: string): Promise<ConnectionChoice[]>;
  find(id: string): Promise<Connection | undefined>;
}

/** What an issuer vouches for. Issuer and subject are the identity; the address is only what the issuer says of it. */
export type ExternalProof = {
  readonly issuer: string;
  readonly subject: string;
  /** Lower case; null when the issuer names none. */
  readonly email: string | null;
  /** The issuer says that the address belongs to this person. */
  readonly emailVerified: boolean;
  /** The issuer also answers for the domain of the address. */
  readonly domainProved: boolean;
  readonly name: string;
  /**
   * Empty when the issuer says there are none; null when the connection maps groups and the issuer says nothing of them,
   * as Microsoft does of people with more groups than fit a token.
   */
  readonly groups: readonly string[] | null;
  /** The person's ids in a directory of Microsoft, which signed them; null for everybody else. */
  readonly directory: DirectoryId | null;
};

/** Directory and object id (`tid`, `oid`), lower-case uuids: the same for every application of every publisher. */
export type DirectoryId = { readonly tenant: string; readonly object: string };

export type AuthorizationRequest = {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE. */
  readonly verifier: string;
};

/** The one way we talk to issuers: authorization code flow with PKCE, state, nonce and issuer check. */
export interface OidcClient {
  /** Where to send the browser. Throws `ExternalFailure`. */
  authorizationUrl(connection: Connection, request: AuthorizationRequest): Promise<string>;
  /** `query` is what the issuer's redirect brought. Throws `ExternalFailure`. */
  exchange(connection: Connection, request: AuthorizationRequest, query: URLSearchParams): Promise<ExternalProof>;
  /** Reads configuration and keys. Throws `ExternalFailure`. */
  probe(connection: Connection): Promise<void>;
}
