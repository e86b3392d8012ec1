/** The README's example of the package beside `@a2a-js/sdk`, whose objects are not ProtoJSON. */
import type { ContractModel } from '../../model/contract.ts';
import { toTypeName } from '../../names.ts';
import { printJson, printValue } from '../print-type.ts';
import { exampleOf, importLine } from './examples.ts';

/**
 * A part and the card on their way to the SDK's objects, the part also back; '' for a contract that
 * has neither. TypeScript: `toJSON` of the SDK is typed to return `unknown`.
 */
export function sdkExample(model: ContractModel): string {
  const part = partExample(model);
  const hasCard = model.card !== undefined;
  if (part === undefined && !hasCard) return '';
  const { name } = model.config;
  const classes = [...(hasCard ? ['AgentCard'] : []), ...(part === undefined ? [] : ['Part'])];
  return (
    importLine(classes, '@a2a-js/sdk') +
    (part === undefined ? '' : `import type { Part as WirePart } from ${printJson(name)};\n`) +
    (hasCard ? importLine(['createAgentCard'], name) : '') +
    (part === undefined ? '' : part.imports + part.code) +
    (hasCard ? CARD : '')
  );
}

const CARD = `
// The card, for a server of the SDK.
const card = AgentCard.fromJSON(createAgentCard({ baseUrl: "https://agent.example/" }));
console.log(card.name);
`;

function partExample(model: ContractModel): { imports: string; code: string } | undefined {
  const parts = model.extensions.flatMap((extension) =>
    extension.entries
      .filter(({ entry }) => entry.in.includes('part'))
      .map(({ entry }) => ({ extension, entry, value: exampleOf(entry.examples) })),
  );
  const shown = parts.find(({ value }) => value !== undefined);
  if (shown?.value === undefined) return undefined;
  const { extension, entry, value } = shown;
  const name = toTypeName(entry.name);
  const from = `${model.config.name}/${extension.name}/${extension.version}`;
  return {
    imports: importLine([`create${name}Part`, `read${name}`], from),
    code:
      `\n// A part, to send.\n` +
      `const part = Part.fromJSON(create${name}Part(${printValue(value, 0)}));\n` +
      `\n// A part that came.\n` +
      `const result = read${name}(Part.toJSON(part) as WirePart);\n` +
      `console.log(result);\n`,
  };
}
