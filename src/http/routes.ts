/** The paths of the HTTP+JSON binding (specification 11.3, a2a.proto) and what the other paths take. */
import type { OperationName } from '../protocol/call.ts';
import { invalidParams } from '../core/errors.ts';
import { EdgeError } from './errors.ts';

/** What a request's method and path ask for. */
export interface Match {
  readonly operation: OperationName;
  /** Parameters in the path, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
}

interface Route {
  readonly pattern: RegExp;
  /** Names of the pattern's groups. */
  readonly names: readonly string[];
  readonly methods: Readonly<Record<string, OperationName>>;
}

const ROUTES: readonly Route[] = [
  route('/message:send', { POST: 'SendMessage' }),
  route('/message:stream', { POST: 'SendStreamingMessage' }),
  route('/tasks', { GET: 'ListTasks' }),
  route('/tasks/{id}:cancel', { POST: 'CancelTask' }),
  // The specification's table says POST, the proto's annotation GET.
  route('/tasks/{id}:subscribe', { GET: 'SubscribeToTask', POST: 'SubscribeToTask' }),
  route('/tasks/{id}', { GET: 'GetTask' }),
  route('/tasks/{taskId}/pushNotificationConfigs', {
    GET: 'ListTaskPushNotificationConfigs',
    POST: 'CreateTaskPushNotificationConfig',
  }),
  route('/tasks/{taskId}/pushNotificationConfigs/{id}', {
    GET: 'GetTaskPushNotificationConfig',
    DELETE: 'DeleteTaskPushNotificationConfig',
  }),
  route('/extendedAgentCard', { GET: 'GetExtendedAgentCard' }),
];

/** Paths beside the binding's, and the methods that they take. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['/', 'POST'],
  ['/.well-known/agent-card.json', 'GET, HEAD'],
  ['/healthz', 'GET'],
  ['/readyz', 'GET'],
  ['/metrics', 'GET'],
]);

/**
 * Finds the operation for a method and a path as it came, without its query.
 *
 * @throws EdgeError ROUTE_NOT_FOUND, METHOD_NOT_ALLOWED with the methods in `metadata.allow`
 * @throws ProtocolError INVALID_PARAMS when a parameter in the path has a malformed escape
 */
export function matchRoute(method: string, path: string): Match {
  for (const { pattern, names, methods } of ROUTES) {
    const groups = pattern.exec(path)?.slice(1);
    if (groups === undefined) continue;
    const operation = methods[method];
    if (operation === undefined) throw notAllowed(method, Object.keys(methods).join(', '));
    const entries = groups.map((text, at) => [names[at] ?? '', decode(names[at] ?? '', text)]);
    return { operation, path: Object.fromEntries(entries) as Record<string, string> };
  }
  const allow = OTHERS.get(path);
  if (allow !== undefined) throw notAllowed(method, allow);
  throw new EdgeError(
    'ROUTE_NOT_FOUND',
    'Nothing is at this path; the agent card is at /.well-known/agent-card.json',
  );
}

function route(template: string, methods: Readonly<Record<string, OperationName>>): Route {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '([^/]+)')}$`), names, methods };
}

function decode(field: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const description = 'The path has a malformed percent escape; encode UTF-8 as in %C3%A9';
    throw invalidParams([{ field, description }]);
  }
}

function notAllowed(method: string, allow: string): EdgeError {
  const message = `This path does not take ${method}; it takes ${allow}`;
  return new EdgeError('METHOD_NOT_ALLOWED', message, { metadata: { allow } });
}
