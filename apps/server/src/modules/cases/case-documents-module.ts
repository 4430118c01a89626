import { Readable } from 'node:stream';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { createBoundedThread, ThreadError } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { pdf, sendFile } from '../../http/send-file.ts';
import type { PdfFile } from '../../pdf/pdf-pages.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import { type CaseDocumentOrder, EVENTS_ON_PAPER, STORY_ON_PAPER } from './case-document-order.ts';
import type { CasesService } from './cases-service.ts';

type Dependencies = {
  db: Pick<Database, 'read'>;
  cases: Pick<CasesService, 'export'>;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
  productName: string;
  now: () => Date;
};

/** By tenant and process: each is some tenths of a second of computing. */
const PER_MINUTE = 30;

/** A case as a file to be read on paper. */
export function createCaseDocumentsModule(deps: Dependencies): { handlers: Handlers<'cases.pdf'> } {
  const { db, cases, productName, now } = deps;
  const limits = { timeoutMs: 30_000, heapMb: 192, maxWaiting: 20 };
  const entry = builtProgram('case-document-worker');
  const layOut = createBoundedThread<CaseDocumentOrder, PdfFile>(entry, limits);
  const mayDo = createCallLimit({ now, perMinute: PER_MINUTE });
  return {
    handlers: {
      'cases.pdf': async ({ params: { id }, query }, { scope, raw, signal }) => {
        const { locale, time_zone: timeZone } = query;
        if (!isTimeZone(timeZone)) {
          const message = 'A time zone such as Europe/Lisbon.';
          throw new AppError('VALIDATION_FAILED', { details: [{ path: 'query.time_zone', message }] });
        }
        if (!mayDo(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
        const { whole, tenant } = await db.read(scope.tenantId, async (tx) => ({
          whole: await cases.export(tx, scope, id, { events: EVENTS_ON_PAPER }),
          tenant: await deps.tenantName(tx, scope),
        }));
        const story = whole.activity.slice(-STORY_ON_PAPER);
        const onPaper = {
          ...whole,
          activity: story.map((entry) => ({ ...entry, data: {} })),
          activity_left_out: whole.activity_left_out + whole.activity.length - story.length,
        };
        const order = { whole: onPaper, product: productName, tenant, locale, timeZone, compress: true };
        const { bytes } = await layOut(order).catch(refusalOfThread);
        const { reference } = whole.case;
        const content = Readable.from([bytes]);
        await sendFile(raw.reply, {
          ...pdf,
          name: reference,
          plainName: 'case',
          sizeBytes: bytes.byteLength,
          content,
          signal,
        });
        return undefined;
      },
    },
  };
}

function refusalOfThread(cause: unknown): never {
  if (!(cause instanceof ThreadError)) throw cause;
  const message = 'This case cannot be written down right now. Try again shortly, or export it as JSON.';
  throw new AppError('OVERLOADED', { cause, message, retryAfterS: 10 });
}
