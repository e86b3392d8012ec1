/** DYNAMIC_REF: no `$dynamicRef` whose target depends on the schema that leads to it. */
import { getOwn, isObject } from '../json.ts';
import { filePointer } from '../resolution.ts';
import type { Rule } from './rule.ts';
import { report, walkProject } from './walk.ts';
import type { Visit } from './walk.ts';

/** A type is one thing; a target that changes with the way to it is several. */
export const dynamicRef: Rule = {
  id: 'DYNAMIC_REF',
  purpose:
    'A `$dynamicRef` leads to one schema whatever way leads to it. Where several carry its `$dynamicAnchor`, its meaning changes with the schema one starts from, and no type can say that.',
  check: (context) => {
    const visits = walkProject(context);
    const anchors = groupAnchors(visits);
    return visits.flatMap((visit) => {
      const name = dynamicName(visit);
      const targets = anchors.get(name ?? '') ?? [];
      if (name === undefined || targets.length < 2) return [];
      const message = `$dynamicRef "#${name}" has ${targets.length} possible targets, and which one it is depends on the schema that refers to this one`;
      const places = targets.map(({ at }) =>
        `${at.document.file.path}#${filePointer(at)}`.replace(/#$/, ''),
      );
      const hint = `Write a "$ref" to the one that is meant: ${places.join(', ')}.`;
      return [report(dynamicRef.id, visit.at, ['$dynamicRef'], message, { hint })];
    });
  },
};

function groupAnchors(visits: readonly Visit[]): ReadonlyMap<string, readonly Visit[]> {
  const groups = new Map<string, Visit[]>();
  for (const visit of visits) {
    const name = isObject(visit.schema) ? getOwn(visit.schema, '$dynamicAnchor') : undefined;
    if (typeof name !== 'string') continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [visit]);
    else group.push(visit);
  }
  return groups;
}

/** The anchor that a `$dynamicRef` starts from. To anything else it leads as `$ref` does (core, 8.2.3.2). */
function dynamicName({ resolution, at, schema }: Visit): string | undefined {
  const reference = isObject(schema) ? getOwn(schema, '$dynamicRef') : undefined;
  if (typeof reference !== 'string') return undefined;
  const target = resolution.follow(at, reference)?.schema;
  const name = isObject(target) ? getOwn(target, '$dynamicAnchor') : undefined;
  return typeof name === 'string' && name === reference.split('#')[1] ? name : undefined;
}
