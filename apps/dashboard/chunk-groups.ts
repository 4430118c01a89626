// Which modules the build puts into one file together, for the build and for the checks that must know what loads when.

/** What the router loads when a screen is entered, by the file it makes of it (`codeSplittingOptions` of its plugin). */
export const routeChunks = [
  // Loaders name the queries of their screen; kept in the first chunk they would make sign-in grow with every screen there is.
  ['loader', 'component'],
  ['pendingComponent'],
  ['errorComponent'],
  ['notFoundComponent'],
] as const;

const basePackages =
  /\/node_modules\/(react|react-dom|scheduler|clsx|@tanstack\/(react-router|router-core|history|query-core|react-query|react-store|store))\//;
const baseComponents =
  /\/node_modules\/@mantine\/core\/esm\/(core|components\/(Text|Title|Stack|Button|UnstyledButton|Loader|Transition|Skeleton|VisuallyHidden))\//;
const baseSources = [
  /\/src\/session\/(app-context|current-user|session-store|tenant-session|access|identity-provider|local-identity-calls)\./,
  /\/src\/session\/(handover|sign-out|api-token|token-claims)\./,
  /\/src\/lib\/(product|document-title|error-presentation|lost-code|load-failures|query-policy|query-keys|search-params)\./,
  /\/src\/lib\/(wipe-caches|toasts|browser-storage|style-nonce)\./,
  /\/src\/language\/(translate|page-language)\./,
  /\/src\/(components\/(problem-note|failure-text)|shell\/(error-page|message-page|screen-pending)|ui\/skeletons)\./,
  /\/src\/(lib\/(idle|telemetry-queue|range-presets)|features\/air-overview\/overview-range)\./,
  // Addresses are read before any screen is there.
  /\/src\/features\/.+(-search|\/set-up-steps|\/story-kinds)\./,
  /\/packages\/(contracts\/src\/(limits|statuses)|domain\/src\/uuid)\./,
];
// Of those packages, and of our own parts, what only screens behind the sign-in use.
const screenParts = [
  /\/query-core\/build\/modern\/(queryObserver|queriesObserver|mutationObserver|infiniteQueryObserver|hydration)\./,
  /\/react-query\/build\/modern\/(?!index|QueryClientProvider|queryOptions)/,
  /\/react-router\/dist\/esm\/(useBlocker|useLocation)\./,
  /\/@tanstack\/store\/dist\/shallow\./,
  /\/@mantine\/core\/esm\/(components\/(Group|ActionIcon)|core\/DirectionProvider)\//,
  /\/@mantine\/core\/esm\/core\/utils\/(create-(scoped-keydown-handler|safe-context|event-handler)|find-element-\w|is-element)/,
  /\/@mantine\/core\/esm\/core\/utils\/(close-on-escape|get-(context-item-index|single-element-child|ref-prop|default-z-index))/,
  /\/@mantine\/core\/esm\/core\/MantineProvider\/use-mantine-color-scheme\/use-mantine-color-scheme\./,
  /\/src\/ui\/(page-header|panel|error-state|empty-state|state-block|copy-button|on-demand|tip|reader|use-now)\./,
  /\/src\/language\/(rich-text|plural)\./,
  /\/src\/(components\/confirmation\/dialog-queue|session\/tenant-switch|queries\/(tenants|notifications))\./,
  /\/src\/ui\/(use-is-phone|count)\./,
  /\/packages\/domain\/src\/(duration|zoned-day|initials)\./,
  /\/src\/(ui\/relative-time|session\/use-current-user|lib\/single-keys|components\/(tenant-mark|status-table))/,
  // Small ones of the frame and of figures: each in a file of its own they cost more than they hold.
  /\/src\/(shell\/collapsed-rail|ui\/one-step-later|lib\/byte-size|components\/range-names|components\/widgets\/(span-text|alert-series|sparkline))\./,
];

// What floats over a page or holds it: menus, dialogs, what scrolls, and what they are made of.
const floatingParts = [
  /\/node_modules\/(@floating-ui|tslib|react-remove-scroll|react-remove-scroll-bar|react-style-singleton|get-nonce)\//,
  /\/node_modules\/(use-callback-ref|use-sidecar)\//,
  /\/@mantine\/core\/esm\/(components\/(Popover|Modal|ModalBase|Paper|Portal|Overlay|FocusTrap|ScrollArea)|utils\/Floating)\//,
  /\/@mantine\/hooks\/esm\/(use-(focus-trap|debounced-callback|click-outside|long-press|window-event)|utils\/use-callback-ref)\//,
];
// Of our own what lists, details and forms have in common.
const commonSources = [
  /\/src\/ui\/(dialog|use-close-of-own|use-focus-back|use-focus-back-to-opener|use-opened-at-once|use-refusal|filter-bar|facet-menu|guarded-button)\./,
  /\/src\/ui\/(text-skeleton|use-row-keys|key-facts|panel-menu|panel-tabs|save-bar|more-button)\./,
  /\/src\/components\/(status-badge|person|person-name|leave-question|leave-guard|effect-badge|pages)\./,
  /\/src\/components\/(confirmation\/(ask-dialog|use-confirmed-mutation|confirmation)|action-run\/(call-intent|use-call-intent))\./,
  /\/src\/queries\/(connectors|actions|playbooks|activity|action-run-pages)\./,
  /\/src\/lib\/(or-not-found|email-address|save-file)\./,
];
const tableParts = [/\/@tanstack\/(react-table|table-core)\//, /\/src\/ui\/data-table/];

/**
 * What every page loads goes into one file: left alone it becomes forty small ones, which cost 10 kB more once compressed
 * and forty requests. Only modules that all pages need belong here.
 */
export function isNeededEverywhere(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  // Every chunk that loads others asks the helper for it.
  if (path.includes('vite/preload-helper')) return true;
  if (isNeededByScreens(id)) return false;
  return basePackages.test(path) || baseComponents.test(path) || baseSources.some((part) => part.test(path));
}

/**
 * What nearly every screen behind the sign-in loads; whoever only signs in does not wait for it. The bench `bundle` shows
 * when one of them is pulled into the first chunk after all: the group then stands among the files of `/login`.
 */
export function isNeededByScreens(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  return screenParts.some((part) => part.test(path));
}

/** What most lists, details and forms load, and home does not: left alone it is thirty requests of each of them. */
export function isCommon(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  return [...floatingParts, ...commonSources].some((part) => part.test(path));
}

export function isOfTables(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  return tableParts.some((part) => part.test(path));
}
