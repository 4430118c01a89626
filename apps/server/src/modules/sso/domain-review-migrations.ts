import type { Migration } from '../../storage/migrations.ts';

export const domainReviewMigrations: readonly Migration[] = [
  {
    id: '0158-sso-domain-review',
    up(sql) {
      sql(`
alter table sso_domain add column missing_since timestamptz;
create index sso_domain_review on sso_domain (checked_at nulls first) where proved_at is not null;
`);
    },
  },
];
