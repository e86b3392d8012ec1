/**
 * What A2UI's own schemas say about its basic catalog, as far as it is not a matter of validation: which properties
 * hold other components ("Validator compliance when defining catalogs": those that refer to `ComponentId` or
 * `ChildList`), and which functions there are.
 */
import { PARAMS } from '@tiny-harness/contract/a2ui/v0.9.1';
import schema from '@tiny-harness/contract/schemas/a2ui/v0.9.1/server_to_client.json' with { type: 'json' };
import type { SurfaceComponent } from '../../core/surface.ts';
import { isObject } from '../../core/json.ts';

const { components, functions } = schema.$defs[PARAMS.supportedCatalogIds[0]];

/** Names of the functions that components may call. */
export const FUNCTION_NAMES: readonly string[] = Object.keys(functions);

/** Where a component names others: the names of members that lead there; `*` is each item of an array. */
type Link = readonly string[];

/** By type of component, the places at which it names others. */
const LINKS: ReadonlyMap<string, readonly Link[]> = new Map(
  Object.entries(components).map(([type, definition]) => [type, findLinks(definition, [])]),
);

/** A component that another one names. */
export interface Child {
  readonly id: string;
  /** Where it is named: `child`, `children/2`, `tabs/0/child`. */
  readonly property: string;
  /** Whether it is a template, drawn for each entry of a list in the data model. */
  readonly isTemplate: boolean;
}

/** The components that a valid one names, in the order in which its schema has them. */
export function listChildren(component: SurfaceComponent): Child[] {
  const children: Child[] = [];
  const links = LINKS.get(component.component) ?? [];
  for (const link of links) follow(component, link, 0, '', children);
  return children;
}

function follow(node: unknown, link: Link, step: number, at: string, children: Child[]): void {
  const name = link[step];
  if (name === undefined) addNamed(node, at, children);
  else if (name === '*') {
    if (!Array.isArray(node)) return;
    for (const [index, item] of node.entries())
      follow(item, link, step + 1, `${at}/${index}`, children);
  } else if (isObject(node)) {
    follow(node[name], link, step + 1, at === '' ? name : `${at}/${name}`, children);
  }
}

/** An id, a list of ids, or a template. */
function addNamed(node: unknown, property: string, children: Child[]): void {
  if (typeof node === 'string') children.push({ id: node, property, isTemplate: false });
  else if (Array.isArray(node)) {
    for (const [index, id] of node.entries()) addNamed(id, `${property}/${index}`, children);
  } else if (isObject(node) && typeof node.componentId === 'string') {
    children.push({ id: node.componentId, property, isTemplate: true });
  }
}

/** A component's own `id` stands in a definition that it refers to, and that is not followed. */
function findLinks(node: unknown, path: Link): Link[] {
  if (!isObject(node)) return [];
  const { $ref, allOf, properties, items } = node;
  if (typeof $ref === 'string')
    return /#\/\$defs\/(ComponentId|ChildList)$/.test($ref) ? [path] : [];
  return [
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => findLinks(part, path)) : []),
    ...(isObject(properties)
      ? Object.entries(properties).flatMap(([name, part]) => findLinks(part, [...path, name]))
      : []),
    ...findLinks(items, [...path, '*']),
  ];
}
