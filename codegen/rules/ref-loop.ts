/** REF_LOOP: no schema needs its own verdict on a value to give one. */
import { getOwn, isObject, splitPointer } from '../json.ts';
import type { SchemaAt } from '../resolution.ts';
import type { Rule } from './rule.ts';
import type { Visit } from './walk.ts';
import { referencesOf, report, walkProject } from './walk.ts';

/** JSON Schema forbids it (core, 9.4.1), and a validator that meets it runs until its stack is full. */
export const refLoop: Rule = {
  id: 'REF_LOOP',
  purpose:
    'A reference leads back to the schema it stands in only from inside an object or an array. Otherwise one value would have to be judged by the same schema again and again, without end.',
  check: (context) => {
    const visits = walkProject(context).filter((visit) => referencesOf(visit).length > 0);
    const loops = findLoops(visits);
    return visits.flatMap((visit) => {
      const { at, schema } = visit;
      const inLoop = loops.has(at) && referencesOf(visit).some((target) => loops.has(target));
      if (!inLoop || !isObject(schema)) return [];
      const keyword = Object.hasOwn(schema, '$ref') ? '$ref' : '$dynamicRef';
      const words = `${keyword} ${JSON.stringify(getOwn(schema, keyword) ?? '')}`;
      const message = `${words} leads back here for the same value, so that value can never be judged`;
      return [report(refLoop.id, at, [keyword], message, { hint: HINT })];
    });
  },
};

const HINT = 'Refer back only from inside properties or items.';

/** The schemas on circles of schemas that apply one another to the same value; each is seen once. */
function findLoops(starts: readonly Visit[]): ReadonlySet<SchemaAt> {
  const loops = new Set<SchemaAt>();
  const done = new Set<SchemaAt>();
  const path: SchemaAt[] = [];
  const enter = (place: Place): void => {
    const { at } = place;
    const from = path.indexOf(at);
    if (from !== -1) for (const each of path.slice(from)) loops.add(each);
    if (from !== -1 || done.has(at)) return;
    path.push(at);
    for (const next of appliedBy(place)) enter({ ...place, at: next, schema: next.schema });
    path.pop();
    done.add(at);
  };
  starts.forEach(enter);
  return loops;
}

type Place = Pick<Visit, 'resolution' | 'at'> & Pick<SchemaAt, 'schema'>;

/** The schemas that a schema applies to the value it is itself applied to. */
function appliedBy({ resolution, at, schema }: Place): readonly SchemaAt[] {
  if (!isObject(schema)) return [];
  const targets = referencesOf({ resolution, at, schema });
  if (!Object.keys(schema).some((keyword) => IN_PLACE.has(keyword))) return targets;
  const branches = resolution.subschemas(at).filter(({ pointer }) => {
    const [keyword = ''] = splitPointer(pointer.slice(at.pointer.length));
    return IN_PLACE.has(keyword);
  });
  return [...targets, ...branches];
}

const IN_PLACE = new Set('allOf anyOf oneOf not if then else dependentSchemas'.split(' '));
