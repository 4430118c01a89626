import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { hashOf } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import { changedBy } from '../audit/audit-actor.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { MAX_DOCUMENT_BYTES } from './openapi-document.ts';
import { dropDocuments } from './openapi-import-repository.ts';
import { createOpenapiImportService, DOCUMENT_KEPT_MS, type ImportDependencies } from './openapi-import-service.ts';

/** Each costs a thread for up to twenty seconds. */
const READINGS_PER_MINUTE = 20;

type Dependencies = ImportDependencies & {
  db: Pick<Database, 'tenant' | 'read' | 'system'>;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
};

export type OpenapiImportModule = {
  handlers: Handlers<'openapi.upload' | 'openapi.list' | 'openapi.import' | 'openapi.delete'>;
  /** Takes away uploads whose day is over. */
  purge(): Promise<void>;
};

export function createOpenapiImportModule(deps: Dependencies): OpenapiImportModule {
  const { db, now, keyedAnswers } = deps;
  const service = createOpenapiImportService(deps);
  const mayRead = createCallLimit({ now, perMinute: READINGS_PER_MINUTE });

  function requireReadingsLeft({ scope }: TenantContext): void {
    if (!mayRead(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
  }

  return {
    purge: () => db.system((tx) => dropDocuments(tx, new Date(now().getTime() - DOCUMENT_KEPT_MS))),
    handlers: {
      'openapi.upload': async (_request, context) => {
        const { scope, raw } = context;
        requireReadingsLeft(context);
        const content = await received(raw.request.body as Readable | undefined);
        const overview = await service.overviewOf(content);
        const asked = createHash('sha256').update(content).digest('base64url');
        const request = { route: 'openapi.upload', tenant: scope.tenantId, context, asked } as const;
        return await db.tenant(scope.tenantId, (tx) =>
          keyedAnswers.once(tx, request, () => service.keep(tx, scope, { content, overview }, changedBy(context))),
        );
      },
      'openapi.list': (_request, { scope }) => db.read(scope.tenantId, (tx) => service.list(tx, scope)),
      'openapi.import': async ({ body }, context) => {
        const { scope, caller } = context;
        const { content, given } = await db.read(scope.tenantId, async (tx) => ({
          content: await service.documentOf(tx, scope, body.document_id),
          given: await service.givenVerbs(tx, scope, body),
        }));
        requireReadingsLeft(context);
        const integration = await service.make(content, body, given);
        const by = { ...changedBy(context), username: caller.username };
        const request = { route: 'openapi.import', tenant: scope.tenantId, context, asked: body } as const;
        const uses = await db.read(scope.tenantId, (tx) => service.usesOfLost(tx, scope, { input: body, integration }));
        if (uses.length > 0) {
          await context.confirm({
            object: hashOf([body, uses]),
            title: refusal('ASK_INTEGRATION_REPLACE', { name: integration.name }),
            text: [refusal('ASK_INTEGRATION_REPLACE_TEXT', { uses })],
            action_label: refusal('ASK_LABEL_IMPORT'),
          });
        }
        return await db.tenant(scope.tenantId, (tx) =>
          keyedAnswers.once(tx, request, () => service.save(tx, scope, { input: body, integration }, by)),
        );
      },
      'openapi.delete': async ({ params }, context) => {
        const { scope } = context;
        const row = await db.tenant(scope.tenantId, (tx) => service.requireUnused(tx, scope, params.id));
        await context.confirm({
          object: JSON.stringify([row.id, row.version]),
          title: refusal('ASK_DELETE', { name: row.name }),
          text: [refusal('ASK_INTEGRATION_DELETE_TEXT')],
          action_label: refusal('ASK_LABEL_DELETE'),
        });
        await db.tenant(scope.tenantId, (tx) => service.remove(tx, scope, row, changedBy(context)));
        return undefined;
      },
    },
  };
}

/** The whole body, given up as soon as it is too large. */
async function received(body: Readable | undefined): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Buffer).byteLength;
    if (size > MAX_DOCUMENT_BYTES) {
      throw new AppError('BODY_TOO_LARGE', { message: 'The document has more than 5 MB.' });
    }
    chunks.push(chunk as Buffer);
  }
  if (size === 0) throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body', message: 'Is empty.' }] });
  return Buffer.concat(chunks);
}
