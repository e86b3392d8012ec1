/** DUPLICATE_ID: every `$id` and every anchor names one schema. */
import { getOwn, isObject } from '../json.ts';
import { filePointer } from '../resolution.ts';
import { findAstray } from './id-matches-path.ts';
import type { Rule } from './rule.ts';
import type { Visit } from './walk.ts';
import { report, walkProject } from './walk.ts';

/** Of two schemas with one name references could mean either (core, 8.2.2). */
export const duplicateId: Rule = {
  id: 'DUPLICATE_ID',
  purpose:
    'Every `$id`, and every `$anchor` within its file, names one schema. A reference to a name that two schemas have could mean either.',
  check: (context) => {
    const taken = new Map<string, Visit>();
    // A package's schemas keep their names; it is the project's own that make way.
    const visits = walkProject(context);
    // A copied file has the names of the first until its $id says where it is.
    const astray = new Set(findAstray(context.project));
    const foreign = visits.filter(({ at }) => at.document.origin === 'package');
    const own = visits.filter(
      ({ at }) => at.document.origin !== 'package' && !astray.has(at.document.file),
    );
    return [...foreign, ...own].flatMap((visit) =>
      namesOf(visit).flatMap(({ keyword, name }) => {
        const first = taken.get(name);
        if (first === undefined) taken.set(name, visit);
        if (first === undefined || first === visit || foreign.includes(visit)) return [];
        const { document, pointer } = first.at;
        const place =
          pointer === '' ? document.file.path : `${document.file.path}#${filePointer(first.at)}`;
        const message = `${keyword} names ${name}, which is the name of ${place} already`;
        return [
          report(duplicateId.id, visit.at, [keyword], message, {
            hint: 'Give one of them another name.',
          }),
        ];
      }),
    );
  },
};

function namesOf({ at, schema }: Visit): readonly { keyword: string; name: string }[] {
  if (!isObject(schema)) return [];
  const anchors = ['$anchor', '$dynamicAnchor'].flatMap((keyword) => {
    const anchor = getOwn(schema, keyword);
    return typeof anchor === 'string' ? [{ keyword, name: `${at.base}#${anchor}` }] : [];
  });
  const id = typeof getOwn(schema, '$id') === 'string' ? [{ keyword: '$id', name: at.base }] : [];
  return [...id, ...anchors];
}
