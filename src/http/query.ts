/** Request parameters from a query (specification 11.5). */
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams } from '../core/errors.ts';
import type { OperationName } from '../protocol/call.ts';
import { VERSION_PARAMETER } from './service-parameters.ts';

/** Parameters that are not strings. What does not parse stays a string, and validation says what it should be. */
const TYPED: Partial<Record<OperationName, Readonly<Record<string, 'int32' | 'bool'>>>> = {
  GetTask: { historyLength: 'int32' },
  ListTasks: { pageSize: 'int32', historyLength: 'int32', includeArtifacts: 'bool' },
  ListTaskPushNotificationConfigs: { pageSize: 'int32' },
};

/**
 * Reads a query. Every parameter of these operations is a scalar.
 *
 * @throws ProtocolError INVALID_PARAMS naming each parameter that is given twice or has a malformed escape
 */
export function readQuery(operation: OperationName, query: string): Record<string, unknown> {
  const values = new Map<string, unknown>();
  const violations: FieldViolation[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) {
      violations.push({
        field: name ?? '',
        description: 'The query has a malformed percent escape; encode UTF-8 as in %C3%A9',
      });
    } else if (values.has(name)) {
      violations.push({
        field: name,
        description: `${name} is in the query more than once; give it once`,
      });
    } else if (name.toLowerCase() !== VERSION_PARAMETER) {
      values.set(name, typed(TYPED[operation]?.[name], value));
    }
  }
  if (violations.length > 0) throw invalidParams(violations);
  return Object.fromEntries(values);
}

function typed(type: 'int32' | 'bool' | undefined, value: string): unknown {
  if (type === 'int32' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'bool' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
