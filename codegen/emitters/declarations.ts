/** Type declarations of a module, as TypeScript text. */
import type { Declaration, SchemaModule, TypeModel } from '../model/modules.ts';
import { typeName } from '../model/modules.ts';
import type { Mode, TypeNode } from '../model/type-node.ts';
import { forEachReference } from '../model/type-node.ts';
import { getOwn, isObject } from '../json.ts';
import type { SchemaAt, SchemaDocument } from '../resolution.ts';
import { commentOf } from './comments.ts';
import type { PrintOptions } from './print-type.ts';
import { printComment, printType } from './print-type.ts';

/** The declarations of a module, each with its comment; `X`, then `XInput` where it differs. */
export function printDeclarations(
  model: TypeModel,
  module: SchemaModule,
  names: Pick<PrintOptions, 'nameOf' | 'onlyNamed'>,
): string {
  const options: PrintOptions = { ...names, commentOf: (member) => commentOf(member.at) };
  return module.declarations
    .flatMap((declaration) => {
      const output = printDeclaration(declaration, 'output', options);
      return declaration.differs
        ? [output, printDeclaration(declaration, 'input', options)]
        : [output];
    })
    .join('\n');
}

/** The references that leave a module, by the document they go to. */
export function foreignReferences(
  module: SchemaModule,
): ReadonlyMap<SchemaDocument, ReadonlyMap<SchemaAt, ReadonlySet<Mode>>> {
  const found = new Map<SchemaDocument, Map<SchemaAt, Set<Mode>>>();
  for (const { output, input, differs } of module.declarations) {
    for (const node of differs ? [output, input] : [output]) {
      forEachReference(node, ({ at, mode }) => {
        if (at.document === module.document) return;
        let places = found.get(at.document);
        if (places === undefined) found.set(at.document, (places = new Map<SchemaAt, Set<Mode>>()));
        places.set(at, new Set([...(places.get(at) ?? []), mode]));
      });
    }
  }
  return found;
}

function printDeclaration(declaration: Declaration, mode: Mode, options: PrintOptions): string {
  const name = typeName(declaration, mode);
  const node: TypeNode = mode === 'output' ? declaration.output : declaration.input;
  const comment = printComment(declarationComment(declaration, mode));
  // Objects are interfaces: hovers and errors then show their names.
  if (node.kind === 'object' && node.members.length > 0) {
    return `${comment}export interface ${name} ${printType(node, options)}\n`;
  }
  const head = `export type ${name} = `;
  const text = `${head}${printType(node, options, 0, head.length)};\n`;
  return comment + text.replace(/= \n/, '=\n');
}

function declarationComment({ at, name, differs }: Declaration, mode: Mode): string {
  const own = commentOf(at);
  const title = isObject(at.schema) ? getOwn(at.schema, 'title') : undefined;
  const titled = typeof title === 'string' && title !== name && /\s/.test(title);
  const text = own === '' && titled ? title : own;
  if (mode === 'input')
    return `What a client may send as {@link ${name}}.${text === '' ? '' : `\n\n${text}`}`;
  return differs && text !== '' ? text : text;
}
