/** The values of enums as frozen arrays: of types that are one, and of members whose type has no name. */
import { posix } from 'node:path';
import type { ModuleModel } from '../model/contract.ts';
import type { Declaration } from '../model/modules.ts';
import type { TypeNode } from '../model/type-node.ts';
import { isKeyword } from '../model/type-node.ts';
import { toConstantName } from '../names.ts';
import { printJson } from './print-type.ts';

/** One array of values. */
export interface EnumValues {
  /** What the array is called: `ROLE_VALUES`, `PERSON_MOOD_VALUES`. */
  readonly name: string;
  /** What the values are of, for the comment. */
  readonly about: string;
  /** The array's source. */
  readonly source: string;
}

/**
 * The arrays of each module. Modules of one folder share an index, so a name is given once in a folder:
 * a type's own values have it before those of a member, and the second of two members goes without.
 */
export function nameEnums(
  modules: readonly ModuleModel[],
): ReadonlyMap<ModuleModel, readonly EnumValues[]> {
  const taken = new Set(
    modules.flatMap((module) => namedEnums(module).map(({ name }) => placed(module, name))),
  );
  return new Map(
    modules.map((module) => {
      const inline = module.declarations.flatMap(memberEnums).filter(({ name }) => {
        const place = placed(module, name);
        const free = !taken.has(place);
        taken.add(place);
        return free;
      });
      return [module, [...namedEnums(module), ...inline]];
    }),
  );
}

function placed({ path }: ModuleModel, name: string): string {
  return `${posix.dirname(path)} ${name}`;
}

function namedEnums({ declarations }: ModuleModel): readonly EnumValues[] {
  return declarations.flatMap(({ name, output }): EnumValues[] => {
    const values = literalsOf(output);
    if (values === undefined) return [];
    const about = `The values of {@link ${name}}, frozen.`;
    return [{ name: `${toConstantName(name)}_VALUES`, about, source: print(values) }];
  });
}

/** Null says that there is no value, and a single one needs no list. */
function memberEnums({ name: type, output }: Declaration): readonly EnumValues[] {
  if (output.kind !== 'object') return [];
  return output.members.flatMap((member): EnumValues[] => {
    if (member.type.kind !== 'union') return [];
    const members = member.type.members.filter((node) => !isKeyword(node, 'null'));
    const values = literalsOf({ kind: 'union', members });
    if (values === undefined || values.length < 2) return [];
    const name = `${toConstantName(type)}_${toConstantName(member.name)}_VALUES`;
    const about = `The values of ${printJson(member.name)} in {@link ${type}}, frozen.`;
    return [{ name, about, source: print(values) }];
  });
}

type Literal = Extract<TypeNode, { kind: 'literal' }>['value'];

/** The literals of a type that is nothing else. */
function literalsOf(node: TypeNode): readonly Literal[] | undefined {
  const members = node.kind === 'union' ? node.members : [node];
  const literals = members.flatMap((member) => (member.kind === 'literal' ? [member.value] : []));
  return literals.length === members.length ? literals : undefined;
}

function print(values: readonly Literal[]): string {
  return `[${values.map(printJson).join(', ')}]`;
}
