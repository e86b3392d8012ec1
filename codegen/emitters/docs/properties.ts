/** The table of an object's properties. */
import type { Json } from '../../json.ts';
import { getOwn, isArray, isObject } from '../../json.ts';
import type { TypeModel } from '../../model/modules.ts';
import type { Member, TypeNode } from '../../model/type-node.ts';
import type { SchemaAt } from '../../resolution.ts';
import { constraintsOf } from './constraints.ts';
import { printCode } from './escape.ts';
import { printFlat } from './json-block.ts';
import type { ObjectNode, References } from './notation.ts';
import { innerObject, printNotation, printOutline } from './notation.ts';
import { printProse } from './prose.ts';
import { printTable } from './table.ts';
import { SERVER } from './writers.ts';

/** What a table needs beside the types. */
export interface TableContext {
  readonly types: TypeModel;
  readonly references: References;
  /** Who sets what is not `readOnly`; undefined where that goes without saying. */
  readonly writer: string | undefined;
}

/** An object's two forms; without an input form every property is as in the output. */
export interface ObjectForms {
  readonly output: ObjectNode;
  readonly input: ObjectNode | undefined;
}

/** A table of properties, and who sets them where that is the same for all. */
export interface PropertyTable {
  readonly table: string;
  readonly setBy: string | undefined;
}

/** The properties of an object, those of objects written out inside it beneath them. */
export function printProperties(forms: ObjectForms, context: TableContext): PropertyTable {
  const rows = listRows(forms, context, '', false);
  const writers = new Set(rows.map(({ setBy }) => setBy));
  const [only] = writers.size === 1 ? writers : [undefined];
  const table = printTable(
    ['Property', 'Type', 'Default', 'Constraints', 'Set by', 'Description'],
    rows.map((row) => [
      row.name,
      row.type,
      row.fallback,
      row.constraints,
      only === undefined ? (row.setBy ?? '') : '',
      row.description,
    ]),
  );
  return { table, setBy: only };
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly fallback: string;
  readonly constraints: string;
  readonly setBy: string | undefined;
  readonly description: string;
}

function listRows(
  { output, input }: ObjectForms,
  context: TableContext,
  prefix: string,
  readOnly: boolean,
): readonly Row[] {
  return output.members.filter(isPossible).flatMap((member) => {
    const sent = input?.members.find(({ name }) => name === member.name);
    const kept = readOnly || member.readOnly;
    const path = `${prefix}${printName(member.name)}`;
    const inner = innerObject(member.type);
    const row = printRow(member, path, isRequired(member, sent), kept, context);
    if (inner === undefined) return [row];
    const forms = { output: inner.node, input: sent && innerObject(sent.type)?.node };
    return [row, ...listRows(forms, context, `${path}${inner.suffix}.`, kept)];
  });
}

/** A property that the schema rules out is not one to tell of. */
function isPossible({ type }: Member): boolean {
  return !(type.kind === 'keyword' && type.name === 'never');
}

function printRow(
  member: Member,
  path: string,
  required: boolean,
  readOnly: boolean,
  { types, references, writer }: TableContext,
): Row {
  const { at, type, fallback } = member;
  const constraints = at === undefined ? [] : constraintsOf(types, at);
  const print = innerObject(type) === undefined ? printNotation : printOutline;
  return {
    name: `${printCode(path)}${required ? '<br>**required**' : ''}`,
    type: print(type, references, at),
    fallback: fallback === undefined ? '' : printCode(printFlat(fallback)),
    constraints: constraints.join('<br>'),
    setBy: readOnly && writer !== undefined ? SERVER : writer,
    description: describe(types, at, type),
  };
}

/** Whether whoever writes the data has to give the property; one with a default may be left out. */
function isRequired(member: Member, sent: Member | undefined): boolean {
  if (sent !== undefined) return !sent.optional;
  return !member.optional && member.fallback === undefined;
}

/** A name that could be overlooked or misread is quoted. */
function printName(name: string): string {
  return /^\s|\s$|^$/.test(name) ? JSON.stringify(name) : name;
}

/** The description of a property: its own, or that of the schema it refers to. */
function describe(types: TypeModel, at: SchemaAt | undefined, type: TypeNode): string {
  const own = descriptionOf(at);
  const target = type.kind === 'ref' ? type.at : at && followed(types, at);
  const text = own === '' ? descriptionOf(target) : own;
  const examples = examplesOf(at).map((value) => printCode(printFlat(value)));
  return [
    isObject(at?.schema) && getOwn(at.schema, 'deprecated') === true ? '**Deprecated.** ' : '',
    printProse(text),
    examples.length === 0 ? '' : `<br>For example ${examples.join(', ')}.`,
  ].join('');
}

function followed(types: TypeModel, at: SchemaAt): SchemaAt | undefined {
  const reference = isObject(at.schema) ? getOwn(at.schema, '$ref') : undefined;
  return typeof reference === 'string' ? types.resolution.follow(at, reference) : undefined;
}

/** A schema's description; '' when it has none. */
export function descriptionOf(at: SchemaAt | undefined): string {
  const text = isObject(at?.schema) ? getOwn(at.schema, 'description') : undefined;
  return typeof text === 'string' ? text : '';
}

/** A schema's own examples. */
export function examplesOf(at: SchemaAt | undefined): readonly Json[] {
  const list = isObject(at?.schema) ? getOwn(at.schema, 'examples') : undefined;
  return isArray(list) ? list : [];
}
