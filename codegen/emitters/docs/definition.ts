/** The section of one definition: what it is, its properties, values or alternatives. */
import { getOwn, isObject } from '../../json.ts';
import type { Declaration, TypeModel } from '../../model/modules.ts';
import type { IndexSignature, TypeNode } from '../../model/type-node.ts';
import { isKeyword } from '../../model/type-node.ts';
import type { SchemaAt } from '../../resolution.ts';
import type { UnionNode } from './alternatives.ts';
import { discriminate, mergeAlternatives } from './alternatives.ts';
import { constraintsOf } from './constraints.ts';
import { printCode } from './escape.ts';
import { printFlat, printJsonBlock } from './json-block.ts';
import { isWhole } from './integers.ts';
import type { ObjectNode, References } from './notation.ts';
import { printNotation } from './notation.ts';
import type { TableContext } from './properties.ts';
import { descriptionOf, examplesOf, printProperties } from './properties.ts';
import { printParagraphs } from './prose.ts';
import type { Site } from './site.ts';

/** What a section is printed with. */
export interface DefinitionContext {
  readonly types: TypeModel;
  readonly references: References;
  /** Who writes the definition; undefined where that goes without saying. */
  readonly writer: string | undefined;
  /** Whether the schema's own examples are printed: not where the page has better ones. */
  readonly examples: boolean;
}

/** References as links from one page. */
export function referencesFrom(site: Site, types: TypeModel, page: string): References {
  return {
    nameOf: (at) => types.declarationOf(at)?.name ?? 'unknown',
    hrefOf: (at) => site.hrefTo(page, at),
    isWhole: (at) => isWhole(types, at),
  };
}

/** The blocks beneath the heading of a definition. */
export function printDefinition(
  declaration: Declaration,
  context: DefinitionContext,
): readonly string[] {
  const { at } = declaration;
  const constraints = constraintsOf(context.types, at).join('; ');
  const blocks = [
    printParagraphs(descriptionOf(at)),
    ...printBody(declaration, context),
    constraints === '' ? '' : `Constraints: ${constraints}.`,
    ...(context.examples ? printExamples(declaration) : []),
  ];
  return blocks.filter((block) => block !== '');
}

function printBody(declaration: Declaration, context: DefinitionContext): readonly string[] {
  const { output, input, at } = declaration;
  switch (output.kind) {
    case 'object':
      return printObject(output, input.kind === 'object' ? input : undefined, context, { at });
    case 'union':
      return printUnion(output, input, context, at);
    case 'literal':
      return [`Always ${printCode(printFlat(output.value))}.`];
    default:
      return [`Type: ${printNotation(output, context.references, at)}`];
  }
}

function printObject(
  output: ObjectNode,
  input: ObjectNode | undefined,
  context: DefinitionContext,
  requirements: Requirements = {},
): readonly string[] {
  const { table, setBy } = printProperties({ output, input }, tableContext(context));
  const facts = [
    setBy === undefined ? '' : `Set by the ${setBy.replace(', ', ' or the ')}.`,
    printNeeds(requirements.needs ?? []),
    isFull(output, requirements)
      ? 'No other properties.'
      : printOpenness(output.members.length, output.index, context.references, requirements.at),
  ];
  return [facts.filter((fact) => fact !== '').join(' '), table];
}

/** What an object asks for beyond its members: its schema, and the names of which it needs one set. */
interface Requirements {
  readonly at?: SchemaAt | undefined;
  readonly needs?: readonly (readonly string[])[];
}

/** Whether the properties that must be there are as many as may be: then nothing fits beside them. */
function isFull({ members }: ObjectNode, { at, needs = [] }: Requirements): boolean {
  const most = isObject(at?.schema) ? getOwn(at.schema, 'maxProperties') : undefined;
  const must = members.filter(({ optional, fallback }) => !optional && fallback === undefined);
  const needed = needs.length === 0 ? 0 : Math.min(...needs.map((names) => names.length));
  return typeof most === 'number' && most > 0 && most <= must.length + needed;
}

function tableContext({ types, references, writer }: DefinitionContext): TableContext {
  return { types, references, writer };
}

/** What may stand beside the named properties. */
function printOpenness(
  named: number,
  index: IndexSignature | undefined,
  references: References,
  at: SchemaAt | undefined,
): string {
  if (index === undefined) return named === 0 ? '' : 'No other properties.';
  if (isKeyword(index.type, 'never')) return 'No properties.';
  const others = named === 0 ? 'Properties of any name' : 'Other properties';
  if (index.key !== 'string') {
    const type = printNotation(index.type, references, at);
    return `Properties named ${printCode(index.key)} hold ${type}.`;
  }
  if (isKeyword(index.type, 'unknown')) return `${others} are allowed.`;
  // Beside named properties the index signature has to admit what these hold: it says too much.
  return named === 0
    ? `${others}, each ${printNotation(index.type, references, at)}.`
    : `${others} are allowed.`;
}

function printUnion(
  output: UnionNode,
  input: TypeNode,
  context: DefinitionContext,
  at: SchemaAt,
): readonly string[] {
  const merged = mergeAlternatives(output);
  if (merged !== undefined) {
    const sent = input.kind === 'union' ? mergeAlternatives(input)?.node : undefined;
    return printObject(merged.node, sent, context, { at, needs: merged.needs });
  }
  if (output.members.every(({ kind }) => kind === 'literal')) return [printValues(output)];
  const notes = discriminate(context.types, output);
  const lines = output.members.map((member, index) => {
    const note = notes[index] ?? '';
    return `- ${printNotation(member, context.references, at)}${note === '' ? '' : `, ${note}`}`;
  });
  return ['One of these:', lines.join('\n'), ...printInlineObjects(output, input, context)];
}

function printValues({ members }: UnionNode): string {
  const values = members.flatMap((member) => (member.kind === 'literal' ? [member.value] : []));
  return values.map((value) => `- ${printCode(printFlat(value))}`).join('\n');
}

/** The properties of alternatives that have no section of their own. */
function printInlineObjects(
  output: UnionNode,
  input: TypeNode,
  context: DefinitionContext,
): readonly string[] {
  const objects = output.members.filter((member) => member.kind === 'object');
  const sent = (input.kind === 'union' ? input.members : [input]).filter(
    (member) => member.kind === 'object',
  );
  const paired = sent.length === objects.length;
  return objects.flatMap((node, index) => {
    if (node.members.length === 0) return [];
    const names = node.members
      .filter(({ optional }) => !optional)
      .map(({ name }) => printCode(name));
    const which = names.length === 0 ? 'The object' : `The object with ${names.join(', ')}`;
    return [`${which}:`, ...printObject(node, paired ? sent[index] : undefined, context)];
  });
}

/** `It also needs a, or b and c.` */
function printNeeds(needs: readonly (readonly string[])[]): string {
  if (needs.length === 0 || needs.some((names) => names.length === 0)) return '';
  const sets = needs.map((names) => names.map((name) => printCode(name)).join(' and '));
  return `It also needs ${sets.join(' or ')}.`;
}

function printExamples({ at }: Declaration): readonly string[] {
  const examples = examplesOf(at);
  if (examples.length === 0) return [];
  const title = examples.length === 1 ? 'For example:' : 'Examples:';
  return [title, ...examples.map(printJsonBlock)];
}
