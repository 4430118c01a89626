/**
 * The engine's tables. All that hold something of a tenant carry `tenant_id`, so that the embedding program can add row-level
 * security.
 *
 * Rows of `job` live as long as the work does: completing deletes, only dead letters stay. Its partial indexes are the
 * queues: `available` is ordered as claims read it, `scheduled` by due time, `leased` by end of lease; `held` waits for the
 * tenant's hold to end, `suspect` for a worker that runs nothing else. Job, step and run are updated many times, so they keep
 * room on their pages for updates that touch no index (fillfactor).
 */
export type EngineMigration = { readonly id: string; readonly sql: string };

/** Schema-qualified names of all tables of tenants, each with a `tenant_id uuid` column. */
export const engineTables = [
  'engine.definition',
  'engine.run',
  'engine.step',
  'engine.prompt',
  'engine.job',
  'engine.hold',
  'engine.cron',
  'engine.cron_slot',
] as const;

/** Tables of no tenant, for workers only. */
export const engineSystemTables = ['engine.clock_shift'] as const;

const runs = `
create schema if not exists engine;

-- One row per distinct definition; runs refer to it by content, so a run keeps the definition it started with.
create table engine.definition (
  tenant_id uuid not null,
  hash text not null,
  body jsonb not null,
  traits jsonb not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, hash)
);

create table engine.run (
  id uuid primary key,
  tenant_id uuid not null,
  kind text not null,
  name text not null,
  definition_hash text not null,
  status text not null check (status in ('pending', 'waiting', 'running', 'cancelled', 'error', 'success')),
  inputs jsonb not null,
  outputs jsonb,
  error jsonb,
  trigger jsonb,
  subject text,
  priority smallint not null,
  dry_run boolean not null,
  dedup_key text,
  cancel_requested_at timestamptz,
  cancel_requested_by text,
  deadline_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (tenant_id, definition_hash) references engine.definition (tenant_id, hash),
  check ((finished_at is not null) = (status in ('cancelled', 'error', 'success')))
) with (fillfactor = 70);
create index run_of_tenant on engine.run (tenant_id, id);
create index run_of_subject on engine.run (tenant_id, subject, id) where subject is not null;
create index run_open on engine.run (tenant_id, id) where finished_at is null;
create unique index run_dedup on engine.run (tenant_id, dedup_key) where dedup_key is not null;

create table engine.step (
  id uuid primary key,
  run_id uuid not null references engine.run on delete cascade,
  tenant_id uuid not null,
  action_id text not null,
  iteration integer not null,
  kind text not null check (kind in ('action', 'prompt', 'delay')),
  name text not null,
  status text not null check (status in ('pending', 'running', 'waiting', 'cancelled', 'success', 'error')),
  skip_reason text check (skip_reason in ('condition', 'dependency', 'run_cancelled', 'run_failed')),
  attempt integer not null,
  failures integer not null,
  input jsonb,
  output jsonb,
  error jsonb,
  effect text,
  idempotent boolean not null,
  call_started_at timestamptz,
  available_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((finished_at is not null) = (status in ('cancelled', 'error', 'success'))),
  check (skip_reason is null or status = 'cancelled')
) with (fillfactor = 60);
create unique index step_of_run on engine.step (run_id, action_id, iteration);
create index step_of_tenant on engine.step (tenant_id, id);

-- The prompt of a step carries the step's id.
create table engine.prompt (
  id uuid primary key references engine.step on delete cascade,
  run_id uuid not null references engine.run on delete cascade,
  action_id text not null,
  tenant_id uuid not null,
  message text not null,
  options jsonb not null,
  approvers jsonb,
  asked_at timestamptz not null,
  expires_at timestamptz,
  default_option text,
  answered jsonb,
  closed_at timestamptz,
  check (answered is null or closed_at is not null)
);
create index prompt_open on engine.prompt (tenant_id, id) where closed_at is null;
create index prompt_of_run on engine.prompt (run_id);
`;

const jobs = `
create table engine.job (
  id uuid primary key,
  tenant_id uuid not null,
  kind text not null,
  payload jsonb,
  run_id uuid references engine.run on delete cascade,
  step_id uuid,
  priority smallint not null,
  state text not null check (state in ('scheduled', 'available', 'leased', 'dead')),
  available_at timestamptz not null,
  attempt integer not null,
  max_attempts integer not null,
  backoff_ms integer not null,
  lease_owner text,
  lease_token bigint not null,
  lease_until timestamptz,
  dedup_key text,
  last_error jsonb,
  created_at timestamptz not null,
  check ((lease_owner is not null) = (state = 'leased')),
  check ((lease_until is not null) = (state = 'leased'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index job_available on engine.job (tenant_id, priority desc, available_at, id) where state = 'available';
create index job_scheduled on engine.job (available_at) where state = 'scheduled';
create index job_leased on engine.job (lease_until) where state = 'leased';
create index job_dead on engine.job (tenant_id, id) where state = 'dead';
create index job_of_run on engine.job (run_id) where run_id is not null;
create unique index job_dedup on engine.job (tenant_id, kind, dedup_key) where dedup_key is not null and state <> 'dead';

create table engine.cron (
  tenant_id uuid not null,
  name text not null,
  expression text not null,
  kind text not null,
  payload jsonb,
  max_attempts integer not null,
  next_slot_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
create index cron_due on engine.cron (next_slot_at) where next_slot_at is not null;

-- A slot is unique, so that no two schedulers can fire it, whatever their clocks say.
create table engine.cron_slot (
  tenant_id uuid not null,
  name text not null,
  slot_at timestamptz not null,
  job_id uuid not null,
  primary key (tenant_id, name, slot_at),
  foreign key (tenant_id, name) references engine.cron on delete cascade
);
`;

const holds = `
-- While a tenant has a row here, steps of its runs are put aside instead of begun.
create table engine.hold (
  tenant_id uuid primary key,
  since timestamptz not null
);

alter table engine.job drop constraint job_state_check;
alter table engine.job add constraint job_state_check
  check (state in ('scheduled', 'available', 'leased', 'held', 'dead'));
create index job_held on engine.job (tenant_id) where state = 'held';
`;

const stepKinds = `
-- Lists of steps are asked for by the kind of their run; a look at each step's run would read them all. It never changes, so
-- its index costs no update anything. The status has none: one would turn every transition into a write of all indexes.
alter table engine.step add column run_kind text;
do $$
declare
  forced text[] := array(select relname::text from pg_class
    where oid in ('engine.step'::regclass, 'engine.run'::regclass) and relforcerowsecurity);
  name text;
begin
  -- The embedding program may have put the tables under row-level security, which hides every row from their owner.
  foreach name in array forced loop execute format('alter table engine.%I no force row level security', name); end loop;
  update engine.step s set run_kind = r.kind from engine.run r where r.id = s.run_id;
  foreach name in array forced loop execute format('alter table engine.%I force row level security', name); end loop;
end $$;
create index step_of_run_kind on engine.step (tenant_id, run_kind, id);
`;

const listsAndChildren = `
-- Actions for each item of a list (its own step has iteration -1), runs started by runs, and runs tried again.
alter table engine.step drop constraint step_kind_check;
alter table engine.step add constraint step_kind_check check (kind in ('action', 'prompt', 'delay', 'playbook'));
alter table engine.step add column list_turn text check (list_turn in ('queued', 'taken'));
alter table engine.step add column child_run_id uuid;
alter table engine.step add column reused boolean not null default false;

alter table engine.run add column parent_run_id uuid references engine.run on delete set null;
alter table engine.run add column parent_step_id uuid;
alter table engine.run add column root_run_id uuid;
alter table engine.run add column depth smallint not null default 0;
alter table engine.run add column retry_of uuid;
create index run_of_parent on engine.run (parent_run_id) where parent_run_id is not null;
create index run_of_root on engine.run (root_run_id) where root_run_id is not null;
`;

const urgentJobs = `
-- Timers and word between runs are claimed beyond the share of their tenant, so they are found without reading its steps.
create index job_urgent on engine.job (available_at, id) where state = 'available' and priority > 100;
`;

const suspects = `
-- Jobs that lost their workers twice are run alone. The reservation is a worker's that lets its other work end for one.
alter table engine.job add column lease_losses integer not null default 0;
alter table engine.job add column reserved_by text;
alter table engine.job add column reserved_until timestamptz;
alter table engine.job drop constraint job_state_check;
alter table engine.job add constraint job_state_check
  check (state in ('scheduled', 'available', 'suspect', 'leased', 'held', 'dead'));
create index job_suspect on engine.job (tenant_id, lease_losses, available_at, id) where state = 'suspect';
`;

const traces = `
-- Where a run hangs in a trace, so that whichever process carries out its steps goes on with it. Opaque to the engine.
alter table engine.run add column trace text;
`;

const clockShift = `
-- By how much the engine's time differs from the database's since that was last set, all processes alike (database-clock.ts).
create table engine.clock_shift (
  only_one boolean primary key default true check (only_one),
  generation integer not null,
  shift_ms double precision not null,
  set_at timestamptz not null
);
-- Whoever starts runs may know it, and nobody but workers may change it.
create function engine.current_clock_shift() returns setof engine.clock_shift
  language sql stable security definer set search_path = pg_catalog
  as 'select * from engine.clock_shift';
`;

const startedWith = `
-- The id of the key a run was asked for with, so that what it does is found by it. Opaque to the engine.
alter table engine.run add column started_with text;
`;

const stepsByName = `
-- The page of one action: of one that never ran, or long ago, all steps of the tenant would be looked through. A name never
-- changes, so this costs no update of a step anything.
create index step_of_name on engine.step (tenant_id, name, id);
`;

const closedPrompts = `
-- A question that was asked and given up in one change stayed open. A step ends with its question, so what is open of a step
-- that has ended is closed; only open ones are looked at, by their own index.
do $$
declare
  forced text[] := array(select relname::text from pg_class
    where oid in ('engine.prompt'::regclass, 'engine.step'::regclass) and relforcerowsecurity);
  name text;
begin
  foreach name in array forced loop execute format('alter table engine.%I no force row level security', name); end loop;
  update engine.prompt p set closed_at = s.finished_at
    from engine.step s where s.id = p.id and p.closed_at is null and s.finished_at is not null;
  foreach name in array forced loop execute format('alter table engine.%I force row level security', name); end loop;
end $$;
`;

const retryFrom = `
-- A list that opens late has to know from where its run was begun: what is to be repeated takes nothing over.
alter table engine.run add column retry_from text;
`;

/** In order; each runs once, in a transaction of its own. */
export const engineMigrations: readonly EngineMigration[] = [
  { id: 'engine-0001-runs', sql: runs },
  { id: 'engine-0002-jobs', sql: jobs },
  { id: 'engine-0003-holds', sql: holds },
  { id: 'engine-0004-step-kinds', sql: stepKinds },
  { id: 'engine-0005-lists-and-children', sql: listsAndChildren },
  { id: 'engine-0006-urgent-jobs', sql: urgentJobs },
  { id: 'engine-0007-suspects', sql: suspects },
  { id: 'engine-0008-traces', sql: traces },
  { id: 'engine-0009-clock-shift', sql: clockShift },
  { id: 'engine-0010-started-with', sql: startedWith },
  { id: 'engine-0213-steps-by-name', sql: stepsByName },
  { id: 'engine-0216-closed-prompts', sql: closedPrompts },
  { id: 'engine-0217-retry-from', sql: retryFrom },
];
