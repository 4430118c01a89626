import { z } from 'zod';
import { idSchema, jsonObjectSchema, shortText, timeSchema, toldFields, usernameSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { runStatuses } from '../statuses.ts';
import { roleInputSchema } from '../users/schema.ts';

/** Grammar of a playbook (docs/playbooks.md). Expressions are CEL inside `{{ … }}`, or bare in `when`. */
const actionIdSchema = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'Lower-case letters, digits and underscores.');

const commonSchema = z.strictObject({
  id: actionIdSchema,
  depends_on: z.array(actionIdSchema).max(100).optional(),
  when: z.string().max(4096).optional(),
});

const onErrorSchema = z.enum(['fail', 'continue']);

export const promptOptionSchema = z.strictObject({
  value: shortText(100),
  label: shortText(200),
  style: z.enum(['primary', 'danger', 'default']).optional(),
});

export const approversSchema = z.strictObject({
  role: roleInputSchema.optional(),
  usernames: z.array(usernameSchema).max(50).optional(),
});

const retrySchema = z.strictObject({
  max_attempts: z.number().int().min(1).max(20),
  backoff_s: z.number().min(0.1).max(3600),
});

export const playbookActionSchema = z.discriminatedUnion('kind', [
  commonSchema.extend({
    kind: z.literal('action'),
    action: shortText(200),
    connector_id: idSchema.nullable().optional(),
    input: jsonObjectSchema,
    /** A list; the action runs once per item, and its expressions may read `item` and `index`. */
    for_each: z.string().max(4096).nullable().optional(),
    retry: retrySchema.optional(),
    timeout_s: z.number().min(1).max(3600).optional(),
    on_error: onErrorSchema.optional(),
  }),
  commonSchema.extend({
    kind: z.literal('prompt'),
    message: shortText(2000),
    options: z.array(promptOptionSchema).min(1).max(10),
    approvers: approversSchema.optional(),
    expires_in_s: z.number().int().min(1).max(2_592_000).optional(),
    default_option: z.string().max(100).optional(),
  }),
  commonSchema.extend({ kind: z.literal('delay'), seconds: z.number().min(0).max(2_592_000) }),
  commonSchema.extend({
    kind: z.literal('playbook'),
    /** A published playbook of the same tenant; the version published when this action begins runs. */
    playbook_id: idSchema,
    inputs: jsonObjectSchema.optional(),
    timeout_s: z.number().min(1).max(2_592_000).optional(),
    on_error: onErrorSchema.optional(),
  }),
]);
export type PlaybookAction = z.output<typeof playbookActionSchema>;

export const playbookDefinitionSchema = z.strictObject({
  metadata: z.strictObject({
    name: shortText(200),
    description: z.string().max(10_000),
    author: z.string().max(200),
    updated_by: z.string().max(200),
  }),
  /** JSON Schema object of the inputs. */
  inputs: jsonObjectSchema,
  actions: z.array(playbookActionSchema).min(1).max(200),
  outputs: jsonObjectSchema,
  exec_options: z.strictObject({
    max_concurrent_actions: z.number().int().min(1).max(64),
    timeout_s: z.number().int().min(1).max(2_592_000).optional(),
  }),
});
export type PlaybookDefinition = z.output<typeof playbookDefinitionSchema>;

/** How the runs of a playbook ended lately. */
export const playbookFiguresSchema = z.strictObject({
  /** The newest first, at most 20; runs going on have no duration. */
  last_runs: z.array(
    z.strictObject({
      id: idSchema,
      status: z.enum(runStatuses),
      time_created: timeSchema,
      duration_s: z.number().nullable(),
    }),
  ),
  /** Of the last 30 days; dry runs are left out of all figures. */
  runs_30d: z.number().int(),
  /** 0 to 1, of those among the newest 50 of these runs that ended in success or error, as the median; null without any. */
  success_rate: z.number().min(0).max(1).nullable(),
  median_duration_s: z.number().nullable(),
});
export type PlaybookFigures = z.output<typeof playbookFiguresSchema>;

/** What can start a playbook beside a person. */
export const playbookTriggers = ['manual', 'policy', 'automation', 'playbook'] as const;

export const playbookSchema = playbookDefinitionSchema.extend({
  /** Of one that has never been published only those that are complete so far; `playbooks.draft` has all. */
  actions: z.array(playbookActionSchema).max(200),
  id: idSchema,
  tenant: idSchema,
  /** The published version; 0 while there is only a draft, which cannot be started. */
  version: z.number().int(),
  created_at: timeSchema,
  updated_at: timeSchema,
  /** Whether somebody saved changes that are not published yet. */
  has_draft: z.boolean(),
  triggers: z.array(z.enum(playbookTriggers)),
  figures: playbookFiguresSchema,
});
export type Playbook = z.output<typeof playbookSchema>;

/**
 * A definition as the builder holds it: of the right outer shape, but what is inside may still be wrong. The server keeps it
 * as a draft and says what is wrong with it; only one without problems can be published, started or tried.
 */
export const draftDefinitionSchema = z.strictObject({
  metadata: z.strictObject({
    name: shortText(200),
    description: z.string().max(10_000).default(''),
    author: z.string().max(200).default(''),
    updated_by: z.string().max(200).default(''),
  }),
  inputs: jsonObjectSchema.default({}),
  actions: z.array(jsonObjectSchema).max(200),
  outputs: jsonObjectSchema.default({}),
  exec_options: jsonObjectSchema.default({}),
});
export type DraftDefinition = z.output<typeof draftDefinitionSchema>;

/** One thing that is wrong with a definition. */
export const playbookProblemSchema = z.strictObject({
  /** Where, such as `actions.2.input.ip`; empty for the whole. */
  path: z.string(),
  code: z.string(),
  ...toldFields,
  /** The action it belongs to, when it belongs to one. */
  action_id: z.string().nullable(),
});
export type PlaybookProblem = z.output<typeof playbookProblemSchema>;

export const playbookValidationSchema = z.strictObject({
  valid: z.boolean(),
  problems: z.array(playbookProblemSchema),
});

export const playbookDraftSchema = z.strictObject({
  playbook_id: idSchema,
  definition: draftDefinitionSchema,
  /** Counts up with every save; a save names the one it is based on. */
  revision: z.number().int(),
  updated_at: timeSchema,
  updated_by: z.string(),
  problems: z.array(playbookProblemSchema),
});
export type PlaybookDraft = z.output<typeof playbookDraftSchema>;

export const playbookCreateSchema = z.strictObject({ definition: draftDefinitionSchema });

export const playbookValidateSchema = z.strictObject({
  definition: draftDefinitionSchema,
  /** The playbook it is of: with it, what would start it again is found, too. */
  playbook_id: idSchema.optional(),
});

/** `revision` 0 begins a draft of a playbook that has none; any other must be the newest (409 CONFLICT otherwise). */
export const playbookDraftSaveSchema = z.strictObject({
  definition: draftDefinitionSchema,
  revision: z.number().int().min(0),
  /** The published version the changes were made on; with it, one that was published since is a CONFLICT, too. */
  based_on: z.number().int().min(0).optional(),
});

export const playbookPublishSchema = z.strictObject({
  revision: z.number().int().min(1),
  /** What changed, for the list of versions. */
  note: z.string().trim().max(500).default(''),
});

export const playbookVersionSchema = z.strictObject({
  version: z.number().int(),
  note: z.string(),
  published_at: timeSchema,
  published_by: z.string(),
  definition: playbookDefinitionSchema,
});
export type PlaybookVersion = z.output<typeof playbookVersionSchema>;

export const playbookRollBackSchema = z.strictObject({ version: z.number().int().min(1) });

export const playbookUseSchema = z.strictObject({
  policies: z.array(
    z.strictObject({ rule_id: idSchema, rule_name: z.string(), response_name: z.string(), enabled: z.boolean() }),
  ),
  /** Automation rules of log management. */
  automations: z.array(
    z.strictObject({ id: idSchema, name: z.string(), response_name: z.string(), enabled: z.boolean() }),
  ),
  playbooks: z.array(z.strictObject({ id: idSchema, name: z.string(), action_id: z.string() })),
});
export type PlaybookUse = z.output<typeof playbookUseSchema>;

/** A playbook the product ships, and this tenant's copy of it. */
export const shippedPlaybookSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** Vendors its actions call, by the id of their integration. */
  integrations: z.array(z.string()),
  /** Null while the tenant has no copy. */
  playbook_id: idSchema.nullable(),
});
export type ShippedPlaybook = z.output<typeof shippedPlaybookSchema>;

export const addFromLibrarySchema = z.strictObject({ keys: z.array(shortText(100)).min(1).max(50) });

/** The definition as YAML text, with the file name a browser should give it. */
export const playbookExportSchema = z.strictObject({ file_name: z.string(), yaml: z.string() });

export const playbookImportSchema = z.strictObject({ yaml: z.string().min(1).max(limits.playbookYamlMaxBytes) });

/** What the text holds; nothing is stored. `definition` is null when the text is no playbook at all. */
export const playbookImportedSchema = z.strictObject({
  definition: draftDefinitionSchema.nullable(),
  problems: z.array(playbookProblemSchema),
});

export const playbookDuplicateSchema = z.strictObject({
  name: shortText(200),
  /** Another tenant the caller may build playbooks in; left out: the same. */
  tenant: idSchema.optional(),
});

/** Either the published version of a playbook or, with `definition`, exactly what the builder shows. */
export const playbookDryRunSchema = z.strictObject({
  inputs: jsonObjectSchema,
  definition: draftDefinitionSchema.optional(),
});

export const playbookDraftRunSchema = playbookDryRunSchema.required({ definition: true }).extend({
  /** The playbook it is of: what would start it again is refused, as when it is published. */
  playbook_id: idSchema.optional(),
});
