/**
 * What a surface's components must be together. The protocol lets a client buffer components until a root comes, and
 * skip what leads nowhere; an agent is told instead, since nobody would see what it meant. Every walk is iterative and
 * visits a component once, or twice where it matters whether it is in a template.
 */
import type { SurfaceComponent } from '../../core/surface.ts';
import type { Child } from './catalog.ts';
import { listChildren } from './catalog.ts';
import type { Faults } from './faults.ts';
import { quote } from './faults.ts';
import type { UiLimits } from './limits.ts';
import { inspectComponent } from './values.ts';

/** The id of the component that is drawn first ("The component object"). */
const ROOT = 'root';

/** The most ids of a cycle that are shown. */
const SHOWN = 8;

/** A component and what faults call it. */
export interface Placed {
  readonly component: SurfaceComponent;
  readonly place: () => string;
}

/** A component in the tree. */
interface Node extends Placed {
  readonly id: string;
  readonly children: readonly Child[];
}

/** What is below a component, itself included. */
interface Extent {
  readonly depth: number;
  /** How many components are drawn; it may be far more than there are. */
  readonly drawn: number;
}

/** Adds what is wrong with the components of a surface together. */
export function checkTree(
  surface: string,
  components: ReadonlyMap<string, Placed>,
  limits: UiLimits,
  faults: Faults,
): void {
  if (components.size > limits.components) {
    const what = `it has ${components.size} components, and may have at most ${limits.components}`;
    faults.add(surface, what);
    return;
  }
  const nodes = new Map<string, Node>();
  for (const [id, placed] of components)
    nodes.set(id, { ...placed, id, children: listChildren(placed.component) });
  if (!nodes.has(ROOT) && nodes.size > 0)
    faults.add(surface, `no component has the id "${ROOT}", and nothing is drawn without one`);
  checkChildren(nodes, faults);
  const extents = measureExtents(nodes, faults);
  const { depth, drawn } = extents?.get(ROOT) ?? { depth: 0, drawn: 0 };
  if (depth > limits.depth)
    faults.add(
      surface,
      `it nests components ${depth} levels deep, and may at most ${limits.depth}`,
    );
  if (drawn > limits.components) {
    const what = `it draws more than ${limits.components} components, since some have several parents`;
    faults.add(surface, what);
  }
  checkScopes(nodes, faults);
}

function checkChildren(nodes: ReadonlyMap<string, Node>, faults: Faults): void {
  for (const { place, children } of nodes.values()) {
    for (const { id, property } of children) {
      if (faults.isFull) return;
      if (nodes.has(id)) continue;
      faults.add(place(), `${property} must be the id of a component; there is no ${quote(id)}`);
    }
  }
}

/** How far each component reaches; undefined when they form a cycle, which is added to the faults. */
function measureExtents(
  nodes: ReadonlyMap<string, Node>,
  faults: Faults,
): ReadonlyMap<string, Extent> | undefined {
  const extents = new Map<string, Extent>();
  for (const start of nodes.values()) {
    if (extents.has(start.id)) continue;
    // The way from the start to where the walk is, and how many children of each are done with.
    const way = [{ node: start, done: 0 }];
    const passed = new Set([start.id]);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const child = step.node.children[step.done];
      if (child === undefined) {
        extents.set(step.node.id, sumUp(step.node, extents));
        passed.delete(step.node.id);
        way.pop();
        continue;
      }
      step.done += 1;
      const node = nodes.get(child.id);
      if (node === undefined || extents.has(node.id)) continue;
      if (passed.has(node.id)) {
        addCycle([...passed], node, faults);
        return undefined;
      }
      passed.add(node.id);
      way.push({ node, done: 0 });
    }
  }
  return extents;
}

function sumUp({ children }: Node, extents: ReadonlyMap<string, Extent>): Extent {
  const below = children.map(({ id }) => extents.get(id) ?? { depth: 0, drawn: 0 });
  return {
    depth: 1 + below.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
    drawn: 1 + below.reduce((sum, { drawn }) => sum + drawn, 0),
  };
}

/** `passed` is the way to the component that names `first`, which is on it. */
function addCycle(passed: readonly string[], first: Node, faults: Faults): void {
  const cycle = passed.slice(passed.indexOf(first.id));
  const shown = cycle.slice(0, SHOWN).map(quote);
  const dots = cycle.length > SHOWN ? ['…'] : [];
  const way = [...shown, ...dots, quote(first.id)].join(' → ');
  faults.add(first.place(), `it contains itself: ${way}`);
}

/** Relative paths start from an entry of a list: what is drawn outside every template has none. */
function checkScopes(nodes: ReadonlyMap<string, Node>, faults: Faults): void {
  const seen = new Set<string>();
  const open = [ROOT];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id);
    if (node === undefined || seen.has(id)) continue;
    seen.add(id);
    for (const { property, what } of inspectComponent(node.component).relative)
      faults.add(node.place(), `${property} ${what}`);
    for (const child of node.children) if (!child.isTemplate) open.push(child.id);
  }
}
