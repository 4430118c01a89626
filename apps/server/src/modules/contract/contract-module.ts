import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { Contract } from '@airdeck/contracts/contract/schema';
import { idSchema } from '@airdeck/contracts/fields';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { pdf, sendFile } from '../../http/send-file.ts';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createTenantSlots } from '../../tenant-slots.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { createFileLinks } from '../files/file-links.ts';
import type { Files } from '../files/files-port.ts';
import type { MalwareScanner } from '../files/malware-scanner.ts';
import { createOrphanSweep } from '../files/orphan-sweep.ts';
import { removeLeftover } from '../files/remove-leftover.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { ContractService, ContractTerms } from './contract-port.ts';
import { countInvited, knownFiles } from './contract-repository.ts';
import { createContractService, noFile } from './contract-service.ts';
import { pdfContent, requirePdf } from './pdf-upload.ts';

type Dependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  files: Files;
  /** None where the installation has none: files are then kept as they come. */
  scanner: Pick<MalwareScanner, 'through'> | undefined;
  tenants: Pick<TenantsService, 'get' | 'findMembership'>;
  audit: Pick<AuditLog, 'record'>;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** The installation's secret; links get a key of their own from it. */
  secret: string;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

type RouteIds =
  | 'contract.get'
  | 'contract.set'
  | 'contract.download'
  | 'contract.upload'
  | 'contract.delete-file'
  | 'contract.billing'
  | 'contract.set-billing'
  | 'files.download';

export type ContractModule = {
  service: ContractService;
  handlers: Handlers<RouteIds>;
  /** Takes files away that no row knows any more. */
  sweep(signal?: AbortSignal): Promise<void>;
};

export function createContractModule(deps: Dependencies): ContractModule {
  const { db, files } = deps;
  const service = createContractService(deps);
  const known = (ids: readonly string[]) => db.system((tx) => knownFiles(tx, ids));
  const sweepOrphans = createOrphanSweep({ files, known, now: deps.now });
  const links = createFileLinks(deps);
  const uploads = createTenantSlots(uploadsAtOnce, { waitingPerTenant: UPLOADS_WAITING, refusal: tooManyUploads });
  const by = ({ caller, requestId }: TenantContext) => ({ actor: auditActor(caller), requestId });

  return {
    service,
    async sweep(signal) {
      const removed = await sweepOrphans(signal);
      if (removed > 0) deps.log.warn({ removed }, 'files that belonged to nothing were removed');
    },
    handlers: {
      'contract.get': async (_request, context) => {
        const { scope } = context;
        const terms = await db.tenant(scope.tenantId, (tx) => service.get(tx, scope));
        return await asSeenBy(deps, context, terms);
      },
      'contract.set': async ({ body }, context) => {
        const { scope } = context;
        await requireEditor(deps, context);
        const terms = await db.tenant(scope.tenantId, (tx) => service.set(tx, scope, body, by(context)));
        return await asSeenBy(deps, context, terms);
      },
      'contract.download': async ({ params }, { scope }) => {
        const id = idSchema.safeParse(params.file);
        if (!id.success) throw noFile();
        const file = await db.tenant(scope.tenantId, (tx) => service.findFile(tx, scope, id.data));
        return { url: `/files/${links.sign({ tenant: scope.tenantId, id: file.id })}` };
      },
      'contract.upload': async ({ query }, context) => {
        // A request has two minutes to arrive, and its body is not read before its turn.
        const patience = AbortSignal.timeout(UPLOAD_WAITS_MS);
        const waiting = AbortSignal.any([context.signal, patience]);
        const work = () => upload(deps, service, query.name, context);
        return await uploads.run(context.scope.tenantId, waiting, work).catch((error: unknown) => {
          throw error === patience.reason ? tooManyUploads() : error;
        });
      },
      'contract.delete-file': async ({ params }, context) => {
        const { scope } = context;
        await requireEditor(deps, context);
        await db.tenant(scope.tenantId, (tx) => service.removeFile(tx, scope, params.id, by(context)));
        // After the commit: a row without its file would be a promise we cannot keep.
        await removeLeftover(deps, params.id);
        return undefined;
      },
      'contract.billing': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => service.getBilling(tx, scope)),
      'contract.set-billing': ({ body }, context) =>
        db.tenant(context.scope.tenantId, (tx) => service.setBilling(tx, context.scope, body, by(context))),
      'files.download': async ({ params }, { raw, signal }) => {
        const linked = links.verify(params.link);
        if (linked === undefined) throw noFile();
        const scope = trustedTenantScope(linked.tenant);
        const file = await db.tenant(scope.tenantId, (tx) => service.findFile(tx, scope, linked.id));
        const content = await files.open(file.id);
        if (content === undefined) {
          deps.log.warn({ file: file.id }, 'a file of a contract is missing from the store');
          throw noFile();
        }
        const { name, size_bytes: sizeBytes } = file;
        await sendFile(raw.reply, { ...pdf, name, plainName: 'contract', sizeBytes, content, signal });
        return undefined;
      },
    },
  };
}

/** As slow as whoever sends them. In a bucket each holds a part of eight megabytes. */
const uploadsAtOnce = { perTenant: 2, inAll: 20 };
const UPLOADS_WAITING = 100;
const UPLOAD_WAITS_MS = 30_000;

function tooManyUploads(): AppError {
  const message = 'Too many files are being uploaded already. Nothing was kept. Try again in a moment.';
  return new AppError('RATE_LIMITED', { message, retryAfterS: 10 });
}

async function upload(deps: Dependencies, service: ContractService, name: string, context: TenantContext) {
  const { scope, caller, requestId, raw } = context;
  requirePdf(raw.request.raw);
  await requireEditor(deps, context);
  // Before all of it is sent. Under a key it may be the file that took the last place.
  const isKeyed = idempotencyKeyOf(raw.request.headers) !== undefined;
  if (!isKeyed) await deps.db.tenant(scope.tenantId, (tx) => service.requireRoom(tx, scope));
  const id = deps.ids();
  const hash = createHash('sha256');
  const content = pdfContent(raw.request.body as Readable);
  const sizeBytes = await deps.files.put(id, hashed(deps.scanner?.through(content) ?? content, hash));
  const by = { actor: auditActor(caller), requestId };
  const asked = { name, content: hash.digest('base64url') };
  const request = { route: 'contract.upload', tenant: scope.tenantId, context, asked } as const;
  try {
    const file = await deps.db.tenant(scope.tenantId, (tx) =>
      deps.keyedAnswers.once(tx, request, () => service.addFile(tx, scope, { id, name, sizeBytes }, by)),
    );
    // There already, under the id it got when the request came first.
    if (file.id !== id) await removeLeftover(deps, id);
    return file;
  } catch (error) {
    // Refused. After anything else it may have its row: whether a commit whose answer was lost took place is unknown.
    if (error instanceof AppError) await removeLeftover(deps, id);
    throw error;
  }
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A seat is taken by whoever was invited and may still come. */
async function asSeenBy(deps: Dependencies, context: TenantContext, terms: ContractTerms): Promise<Contract> {
  const invited = await deps.db.system((tx) => countInvited(tx, context.scope, deps.now()));
  return { ...terms, seats_used: terms.seats_used + invited, editable: await mayEdit(deps, context) };
}

/** Terms are the provider's business: its Admins write them, or the tenant's own where nobody manages it. */
async function mayEdit({ db, tenants }: Dependencies, { scope, caller }: TenantContext): Promise<boolean> {
  return await db.system(async (tx) => {
    const { managed_by: manager } = await tenants.get(tx, scope);
    if (manager === null) return true;
    // A key opens one tenant, whoever owns it.
    if (caller.apiKey !== undefined) return false;
    const membership = await tenants.findMembership(tx, caller.userId, manager);
    return membership !== undefined && hasRole(membership.role, 'Admin');
  });
}

async function requireEditor(deps: Dependencies, context: TenantContext): Promise<void> {
  if (await mayEdit(deps, context)) return;
  const message = 'Only the provider that manages this tenant changes its contract.';
  throw new AppError('ROLE_TOO_LOW', { message });
}
