/** DEFAULT_VALID: a default is valid where it stands. */
import { getOwn, isObject, joinPointer } from '../json.ts';
import { filePointer } from '../resolution.ts';
import { explainValue } from './explain-value.ts';
import { isJudgeable } from './judgeable.ts';
import type { Rule } from './rule.ts';
import { walkProject } from './walk.ts';

/** Defaults are filled in while parsing; one that is not valid makes a valid value invalid. */
export const defaultValid: Rule = {
  id: 'DEFAULT_VALID',
  purpose:
    'Every `default` is valid against the schema it stands in. It is filled in where the value is absent, so an invalid one would turn valid data into invalid data.',
  check: (context) =>
    walkProject(context).flatMap(({ resolution, at, schema }) => {
      const value = isObject(schema) ? getOwn(schema, 'default') : undefined;
      if (value === undefined || !isJudgeable(context, at)) return [];
      const place = joinPointer(filePointer(at), 'default');
      const placed = { file: at.document.file, pointer: place, value, subject: 'the default' };
      const hint = at.document.origin === 'package' ? PACKAGE_HINT : HINT;
      return explainValue(defaultValid.id, resolution, at, placed, hint);
    }),
};

const HINT =
  'It is what a reader gets where the value is left out: mend it, or change what the schema takes.';
const PACKAGE_HINT =
  'The file is not yours: set the value right with an "amend" entry in the manifest.';
