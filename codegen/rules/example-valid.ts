/** EXAMPLE_VALID: examples, in schemas and in manifests, are valid. */
import type { Diagnostic } from '../diagnostics.ts';
import { getOwn, isArray, isObject, joinPointer } from '../json.ts';
import { findEntrySchema } from '../model/contract.ts';
import { filePointer } from '../resolution.ts';
import { explainValue } from './explain-value.ts';
import { isJudgeable } from './judgeable.ts';
import type { Rule, RuleContext } from './rule.ts';
import { walkOwn } from './walk.ts';

/** People copy examples before they read schemas. */
export const exampleValid: Rule = {
  id: 'EXAMPLE_VALID',
  purpose:
    "Every example is valid against the schema it is for: a schema's own `examples` and those of each manifest entry. The docs and the package's README print them, and readers copy them.",
  check: (context) => [...checkSchemas(context), ...checkManifests(context)],
};

const HINT = 'The docs print it as it stands: mend it, or change what the schema takes.';

function checkSchemas(context: RuleContext): readonly Diagnostic[] {
  return walkOwn(context).flatMap(({ resolution, at, schema }) => {
    const examples = isObject(schema) ? getOwn(schema, 'examples') : undefined;
    if (!isArray(examples) || !isJudgeable(context, at)) return [];
    return examples.flatMap((value, index) => {
      const place = joinPointer(filePointer(at), 'examples', index);
      const placed = { file: at.document.file, pointer: place, value, subject: 'the example' };
      return explainValue(exampleValid.id, resolution, at, placed, HINT);
    });
  });
}

function checkManifests(context: RuleContext): readonly Diagnostic[] {
  const { project, resolution } = context;
  return project.extensions.flatMap((extension) =>
    extension.manifest.data.flatMap((entry, index) => {
      const at = findEntrySchema(resolution, extension, entry);
      if (at === undefined || !isJudgeable(context, at)) return [];
      return Object.entries(entry.examples ?? {}).flatMap(([name, value]) => {
        const pointer = joinPointer('/data', index, 'examples', name);
        const subject = `the ${name} example`;
        const placed = { file: extension.file, pointer, value, subject };
        return explainValue(exampleValid.id, resolution, at, placed, HINT);
      });
    }),
  );
}
