/** What makes the generated files a package: its manifest, index, README and licence. */
import type { Json } from '../json.ts';
import type { ContractModel } from '../model/contract.ts';
import type { EmittedFile, Emitter } from './emitter.ts';
import { listExports } from './package/exports.ts';
import { printIndex } from './package/index-module.ts';
import { printReadme } from './package/readme.ts';

/** Emits `package.json`, `index.js` and its declarations, `README.md`, and a copy of the licence. */
export const packageFiles: Emitter = {
  name: 'package',
  emit: (model, { templates }) => [
    { path: 'generated/package.json', text: `${JSON.stringify(manifestOf(model), null, 2)}\n` },
    ...printIndex(model),
    { path: 'generated/README.md', text: printReadme(model, templates) },
    ...licence(model),
  ],
};

/** The version is what releases made it; everything else follows from the contract. */
function manifestOf(model: ContractModel): Json {
  const { name, description, license, baseUrl, repository } = model.config;
  const scoped = name.startsWith('@');
  return {
    name,
    version: model.project.packageVersion,
    description,
    license,
    homepage: `${baseUrl}/`,
    ...(repository === undefined ? {} : { repository }),
    // npm takes a package with a scope for private unless it is told otherwise.
    ...(scoped ? { publishConfig: { access: 'public' } } : {}),
    type: 'module',
    sideEffects: false,
    // The first Node that loads ES modules by `require` without a flag.
    engines: { node: '>=20.20' },
    // Read by compilers that do not know `exports`; Node and bundlers do.
    main: './index.js',
    types: './index.d.ts',
    ...typesVersions(model),
    exports: Object.fromEntries(listExports(model).map(({ path, target }) => [path, target])),
    files: filesOf(model),
  };
}

/** For the same compilers: where extensions are whose paths are not those of their files. */
function typesVersions({ extensions }: ContractModel): Readonly<Record<string, Json>> {
  if (extensions.length === 0) return {};
  const paths = extensions.flatMap(({ name, version, folder }): [string, Json][] => [
    [`${name}/${version}`, [`./${folder}/index.d.ts`]],
    [`${name}/${version}/*`, [`./${folder}/*.d.ts`]],
  ]);
  return { typesVersions: { '*': Object.fromEntries(paths) } };
}

/** All but the list of what was generated, which only the generator reads. */
function filesOf({ card, tools, extensions, sets, project }: ContractModel): readonly string[] {
  return [
    'index.js',
    'index.d.ts',
    ...(card === undefined ? [] : ['agent-card.js', 'agent-card.d.ts', 'agent-card.json']),
    ...project.code.flatMap(({ name }) => [`${name}.js`, `${name}.d.ts`]),
    ...(extensions.length === 0 ? [] : ['extensions']),
    'runtime',
    'schemas',
    ...sets.map(({ folder }) => folder),
    ...(tools.length === 0 ? [] : ['tools']),
    'CHANGELOG.md',
  ];
}

function licence({ project }: ContractModel): readonly EmittedFile[] {
  const { licenseText } = project;
  return licenseText === undefined ? [] : [{ path: 'generated/LICENSE', text: licenseText }];
}
