/**
 * Who may import whom. test/house/dependencies.test.ts runs these rules; a rule for a folder that does not exist
 * yet costs nothing. The published package is reached by name from src/ and test/; the link of the npm workspace
 * leads that name to generated/, so both spellings are matched.
 */
const contract = '^(generated/|@tiny-harness/contract)';
const npmPackage = (/** @type {string} */ names) => `(^|/)(node_modules/|npm:)?(${names})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Modules that import each other cannot be read, tested or replaced alone.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nothing imports and that imports nothing is left over.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          // Started, not imported.
          '^test/.+\\.(test\\.ts|mjs)$',
          '^(codegen|src)/launch\\.mjs$',
          // Reached through the exports map of the package, by consumers.
          '^generated/',
          // Copied into the package; generated modules import it there.
          '^codegen/runtime/',
        ],
      },
      to: {},
    },
    {
      name: 'imports-resolve',
      comment: 'An import that leads nowhere fails when the module is loaded.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'generated-stands-alone',
      comment:
        'The contract package has no run-time dependency and needs nothing of this repository.',
      severity: 'error',
      from: { path: '^generated/' },
      to: { pathNot: '^generated/' },
    },
    {
      name: 'runtime-stands-alone',
      comment: 'codegen/runtime/ is copied into the package as it is, so it may reach only itself.',
      severity: 'error',
      from: { path: '^codegen/runtime/' },
      to: { pathNot: '^codegen/runtime/' },
    },
    {
      name: 'codegen-not-to-its-output',
      comment: 'A generator that imports what it writes cannot start on a fresh or broken tree.',
      severity: 'error',
      from: { path: '^codegen/' },
      to: { path: ['^(src|test|docs)/', contract] },
    },
    {
      name: 'product-not-to-tests',
      comment: 'Tests import the product, never the other way round.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|codegen)/' },
    },
    {
      name: 'core-is-pure',
      comment: 'src/core decides; it reads no clock, does no I/O and imports no package.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { pathNot: ['^src/core/', contract] },
    },
    {
      name: 'core-knows-only-types-of-the-contract',
      comment: 'From the contract src/core takes types alone (import type).',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: contract, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'store-and-stream-build-on-core',
      comment: 'The event log and what tails it know nothing of the layers that use them.',
      severity: 'error',
      from: { path: '^src/(store|stream)/' },
      to: { path: '^src/', pathNot: '^src/(store|stream|core)/' },
    },
    {
      name: 'extensions-build-on-core',
      comment:
        'What an extension means is decided from the core and the contract; of the store it knows the port.',
      severity: 'error',
      from: { path: '^src/extensions/' },
      to: { path: '^src/', pathNot: ['^src/(extensions|core)/', '^src/store/port\\.ts$'] },
    },
    {
      name: 'commands-build-on-extensions',
      comment:
        'A command goes from a task to a reply, without I/O; who runs it is not its business.',
      severity: 'error',
      from: { path: '^src/commands/' },
      to: { pathNot: ['^src/(commands|extensions|core)/', contract] },
    },
    {
      name: 'tools-build-on-extensions',
      comment:
        'A tool goes from arguments and a task to events; of skills it knows the port, and who calls it is not its business.',
      severity: 'error',
      from: { path: '^src/tools/' },
      to: { pathNot: ['^src/(tools|extensions|core)/', '^src/skills/port\\.ts$', contract] },
    },
    {
      name: 'skills-stand-alone',
      comment:
        "Reading skills is nobody's business but the tools'; it knows the log and nothing of tasks.",
      severity: 'error',
      from: { path: '^src/skills/' },
      to: { path: '^src/(?!skills/|yaml/|[^/]+\\.ts$)' },
    },
    {
      name: 'http-is-the-edge',
      comment:
        'Only the composition root starts the HTTP layer; nothing beneath it knows that it exists.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/http/', '^src/(app|main)\\.ts$'] },
      to: { path: '^src/(http/|(app|main)\\.ts$)' },
    },
    {
      name: 'http-speaks-to-protocol',
      comment:
        'Bindings carry calls and answers; tasks, turns, extensions and the log are not their business.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/(store|stream|agents|push|extensions|commands)/' },
    },
    {
      name: 'store-behind-its-port',
      comment: 'Only the composition root knows which store it is.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/store/', '^src/app\\.ts$'] },
      to: { path: '^src/store/', pathNot: '^src/store/port\\.ts$' },
    },
    {
      name: 'agents-behind-their-port',
      comment:
        'An agent knows its turn and nothing of what runs it; only the composition root chooses one.',
      severity: 'error',
      from: { path: '^src/agents/[^/]+/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/agents/[^/]+/',
          '^src/agents/port\\.ts$',
          '^src/(core|yaml)/',
          '^src/log\\.ts$',
        ],
      },
    },
    {
      name: 'skills-behind-their-port',
      comment:
        'Tools know what can be asked of skills; only the composition root opens a directory of them.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/skills/', '^src/app\\.ts$'] },
      to: { path: '^src/skills/', pathNot: '^src/skills/port\\.ts$' },
    },
    {
      name: 'skills-build-on-nothing-else',
      comment: 'A directory of skills is read without knowing of tasks, agents or settings.',
      severity: 'error',
      from: { path: '^src/(skills|yaml)/' },
      to: { path: '^src/', pathNot: ['^src/(skills|yaml)/', '^src/log\\.ts$'] },
    },
    {
      name: 'protocol-above-its-parts',
      comment: 'What the operations are made of knows nothing of them.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(protocol|http)/', '^src/app\\.ts$'] },
      to: { path: '^src/protocol/' },
    },
    {
      name: 'fastify-at-the-edge',
      comment: 'Fastify appears in src/http/ and src/app.ts only.',
      severity: 'error',
      from: { path: '^(src|codegen)/', pathNot: ['^src/http/', '^src/app\\.ts$'] },
      to: { path: npmPackage('fastify|@fastify/.+') },
    },
    {
      name: 'sql-in-the-store',
      comment: 'SQL drivers appear in src/store/ only, behind its port.',
      severity: 'error',
      from: { path: '^(src|codegen)/', pathNot: '^src/store/' },
      to: { path: [npmPackage('better-sqlite3|pg|postgres|mysql2'), '^(node:)?sqlite$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Fixtures: what a run is expected to write, and input that is wrong on purpose.
    exclude: { path: ['^test/golden/[^/]+/', '^test/diagnostics/[^/]+/'] },
    tsPreCompilationDeps: true,
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
