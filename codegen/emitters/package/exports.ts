/** What the package exports: the list that its manifest and its README are made of. */
import { posix } from 'node:path';
import type { Json } from '../../json.ts';
import type { ContractModel, ModuleModel } from '../../model/contract.ts';
import { FORM_NAMES } from '../tool-forms.ts';

/** One entry of the exports map. */
export interface PackageExport {
  /** `.` or `./…`, after the package's name. */
  readonly path: string;
  readonly target: Json;
  /** The group it is listed in; entries of a group share a row of the README's table. */
  readonly group: string;
}

/** All exports, in the order in which they are listed. */
export function listExports(model: ContractModel): readonly PackageExport[] {
  const { extensions, sets, tools, card, project } = model;
  return [
    moduleExport('.', './index', 'index'),
    ...extensions.flatMap(({ name, version, folder, modules }) => {
      const path = `./${name}/${version}`;
      return [
        moduleExport(path, `./${folder}/index`, folder),
        ...modules.map((module) => stemExport(path, module, `${folder}/*`)),
      ];
    }),
    ...sets.flatMap(({ folder, modules }) => [
      moduleExport(`./${folder}`, `./${folder}/index`, folder),
      ...modules.map((module) => stemExport(`./${folder}`, module, `${folder}/*`)),
    ]),
    ...(tools.length === 0
      ? []
      : [
          moduleExport('./tools', './tools/index', 'tools'),
          ...FORM_NAMES.map((name) => moduleExport(`./tools/${name}`, `./tools/${name}`, name)),
          ...toolModules(model).map((module) => stemExport('./tools', module, 'tools/*')),
        ]),
    ...(card === undefined
      ? []
      : [
          moduleExport('./agent-card', './agent-card', 'agent-card'),
          fileExport('./agent-card.json', 'agent-card.json'),
        ]),
    ...project.code.map(({ name }) => moduleExport(`./${name}`, `./${name}`, `code/${name}`)),
    moduleExport('./runtime/result', './runtime/result', 'result'),
    fileExport('./schemas/*', 'schemas'),
    fileExport('./package.json', 'package.json'),
  ];
}

/** The modules of all tools: of their arguments, and of what they return. */
function toolModules({ modules }: ContractModel): readonly ModuleModel[] {
  return modules.filter(({ document }) => document.origin === 'tool');
}

function stemExport(folder: string, module: ModuleModel, group: string): PackageExport {
  const stem = posix.basename(module.path);
  return moduleExport(`${folder}/${stem}`, `./${module.path}`, group);
}

function moduleExport(path: string, file: string, group: string): PackageExport {
  return { path, target: { types: `${file}.d.ts`, default: `${file}.js` }, group };
}

function fileExport(path: string, group: string): PackageExport {
  return { path, target: path, group };
}
