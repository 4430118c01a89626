import type { ToldPart } from '@airdeck/contracts/filled-text';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** What is to go, or to change: a connector, the default one of an integration for all that name none, or actions. */
export type Used =
  | { readonly connectorId: string }
  | { readonly defaultOf: string }
  | { readonly integration: string }
  | { readonly actionIds: readonly string[] };

/** Sentences that name what acts through it, of one kind of user. */
export type UsesOf = (tx: Tx, scope: TenantScope, used: Used) => Promise<ToldPart[]>;
