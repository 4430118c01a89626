import type { Handlers, TenantContext } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { reportRange } from '../activity-report/report-range.ts';
import { changedBy } from '../audit/audit-actor.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { LogReportModule } from '../log-report/log-report-module.ts';
import { type CustomersDependencies, createCustomersService } from './customers-service.ts';

type RouteIds =
  | 'customers.list'
  | 'customers.create'
  | 'customers.update'
  | 'customers.usage'
  | 'customers.roles'
  | 'customers.set-role';

type Dependencies = CustomersDependencies & {
  db: Pick<Database, 'system'>;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  eventUsage: LogReportModule['usage'];
  now: () => Date;
};

export type CustomersModule = { handlers: Handlers<RouteIds> };

export function createCustomersModule(deps: Dependencies): CustomersModule {
  const service = createCustomersService(deps);

  /** A system transaction in the name of a provider. */
  async function asProvider<T>(context: TenantContext, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await deps.db.system(async (tx) => {
      await service.requireProvider(tx, context.scope);
      return await work(tx);
    });
  }

  return {
    handlers: {
      'customers.list': (_request, context) => asProvider(context, (tx) => service.list(tx, context.scope)),
      'customers.create': ({ body }, context) => {
        const { scope } = context;
        const request = { route: 'customers.create', tenant: scope.tenantId, context, asked: body } as const;
        return asProvider(context, (tx) =>
          deps.keyedAnswers.once(tx, request, () => service.create(tx, scope, body, changedBy(context))),
        );
      },
      'customers.update': ({ params: { id }, body }, context) =>
        asProvider(context, (tx) => service.update(tx, context.scope, { id, ...body }, changedBy(context))),
      'customers.usage': async ({ params: { id }, query }, context) => {
        const customer = await asProvider(context, (tx) => service.customer(tx, context.scope, id));
        return await deps.eventUsage(customer, reportRange(query, deps.now()));
      },
      'customers.roles': (_request, context) => asProvider(context, (tx) => service.roles(tx, context.scope)),
      'customers.set-role': async ({ body }, context) => {
        const { scope } = context;
        const question = await asProvider(context, (tx) => service.roleQuestion(tx, scope, body));
        await context.confirm(question);
        return await asProvider(context, async (tx) => {
          await service.setRole(tx, scope, body, changedBy(context));
          return await service.roles(tx, scope);
        });
      },
    },
  };
}
