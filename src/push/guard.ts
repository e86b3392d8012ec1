/**
 * The guard against server-side request forgery (specification 13.2): webhooks lead to public addresses, or to those
 * that the operator allows. It stands at creation, and again at each connection, where it sees the address that is
 * connected to, so that a name cannot lead elsewhere later (DNS rebinding).
 *
 * It is built on ipaddr.js. request-filtering-agent, which is too, would serve for the connection alone, but lets
 * IPv4-compatible addresses pass and prints a warning for each connection when an allow-list holds blocks of both families.
 */
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { AllowList } from './addresses.ts';
import { mayReach } from './addresses.ts';
import type { ResolveHost } from './resolve.ts';

/** Says where push may go. */
export interface WebhookGuard {
  /** What is wrong with a URL that is to become a webhook, as the rest of a sentence; undefined when nothing is. */
  explainRefusal(url: string): Promise<string | undefined>;
  /** The URL of a webhook at dispatch. Throws ForbiddenAddressError when it names an address that is not to be reached. */
  admit(url: string): URL;
  /** For `net.connect`: finds the addresses of a host, and fails when one of them is not to be reached. */
  readonly lookup: LookupFunction;
}

/** A webhook leads to where push may not go. The message is for the operator's eyes. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';

  constructor() {
    super('the URL leads to a private or reserved address that PUSH_ALLOW does not hold');
  }
}

/** A guard that lets through what is public or in the list. */
export function createWebhookGuard(allow: AllowList, resolve: ResolveHost): WebhookGuard {
  const find: ResolveHost = async (host) => {
    const addresses = isLocalhost(host) ? LOOPBACK : await resolve(host);
    // One bad address spoils all: which of them a connection takes is not for us to say.
    if (!addresses.every(({ address }) => mayReach(address, allow))) {
      throw new ForbiddenAddressError();
    }
    return addresses;
  };
  const admit = (url: string) => {
    const parsed = new URL(url);
    const host = bareHost(parsed);
    // A host that is an address is never looked up.
    if (isIP(host) !== 0 && !mayReach(host, allow)) throw new ForbiddenAddressError();
    return parsed;
  };
  return {
    admit,
    async explainRefusal(url) {
      const flaw = findFlaw(url);
      if (flaw !== undefined) return flaw;
      try {
        const host = bareHost(admit(url));
        if (isIP(host) === 0) await find(host);
        return undefined;
      } catch (error) {
        // A host that cannot be found now may be there when there is something to deliver.
        return error instanceof ForbiddenAddressError ? FORBIDDEN : undefined;
      }
    },
    lookup: createLookup(find),
  };
}

function createLookup(find: ResolveHost): LookupFunction {
  return (host, { all, family }, callback) => {
    const fail = (error: unknown) => {
      callback(error instanceof Error ? error : new Error(String(error)), []);
    };
    find(host).then((found) => {
      const wanted = found.filter((each) => !family || each.family === family);
      const [first] = wanted;
      if (first === undefined) fail(new Error(`${host} has no address that fits`));
      else if (all === true) callback(null, [...wanted]);
      else callback(null, first.address, first.family);
    }, fail);
  };
}

const FORBIDDEN =
  'must not lead to a private or reserved address; an operator who wants that lists the address in PUSH_ALLOW';

/** What localhost and the names under it stand for, whatever a name server says (RFC 6761). */
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];

function isLocalhost(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

function findFlaw(url: string): string | undefined {
  if (!URL.canParse(url)) {
    return 'must be an absolute URL, such as https://client.example/a2a-events';
  }
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return `must be an http or https URL, not ${parsed.protocol}`;
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return 'must not hold a user name or password; give them as "authentication", with the scheme Basic';
  }
  return undefined;
}

/** The host without the brackets of an IPv6 address. `URL` has put IPv4 addresses into their usual form. */
function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
