import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllowList } from '../../src/push/addresses.ts';
import { createWebhookGuard, ForbiddenAddressError } from '../../src/push/guard.ts';

const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'hook.example': ['127.0.0.2'],
};

function resolve(name: string): Promise<LookupAddress[]> {
  const found = NAMES[name]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return found ? Promise.resolve(found) : Promise.reject(new Error(`ENOTFOUND ${name}`));
}

const guard = (...allow: string[]) => createWebhookGuard(parseAllowList(allow), resolve);

const FORBIDDEN =
  'must not lead to a private or reserved address; an operator who wants that lists the address in PUSH_ALLOW';

describe('explainRefusal', () => {
  it.each([
    'https://public.example/hook',
    'http://PUBLIC.example:8080/hook?key=1',
    'http://93.184.215.14:1/',
    'https://[2606:4700:4700::1111]/',
    'https://down.example/',
  ])('accepts %s', async (url) => {
    expect(await guard().explainRefusal(url)).toBeUndefined();
  });

  it.each([
    ['not a url', 'must be an absolute URL, such as https://client.example/a2a-events'],
    ['//public.example/', 'must be an absolute URL, such as https://client.example/a2a-events'],
    [
      'http://[fe80::1%25eth0]/',
      'must be an absolute URL, such as https://client.example/a2a-events',
    ],
    ['file:///etc/passwd', 'must be an http or https URL, not file:'],
    ['gopher://public.example/', 'must be an http or https URL, not gopher:'],
    [
      'https://user:pw@public.example/',
      'must not hold a user name or password; give them as "authentication", with the scheme Basic',
    ],
  ])('says what is wrong with %s', async (url, reason) => {
    expect(await guard().explainRefusal(url)).toBe(reason);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]/latest',
    'http://localhost:1/x',
    'http://LOCALHOST./x',
    'http://a.b.localhost/',
    'http://10.0.0.1/x',
    'http://[::1]:1/x',
    'http://2130706433/x',
    'http://0x7f.0.0.1/',
    'http://0x7F000001/',
    'http://017700000001/',
    'http://0177.0.0.01/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://0/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:FFFF:7F00:0001]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'https://private.example/',
    'https://mixed.example/',
  ])('refuses %s', async (url) => {
    expect(await guard().explainRefusal(url)).toBe(FORBIDDEN);
  });

  it('refuses an address of this network in whatever notation it is written', async () => {
    const part = fc.integer({ min: 0, max: 255 });
    const inner = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), part, part, part),
      fc.tuple(fc.constant(192), fc.constant(168), part, part),
      fc.tuple(fc.constant(169), fc.constant(254), part, part),
    );
    const number = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0X${value.toString(16).toUpperCase().padStart(4, '0')}`,
      (value: number) => `0${value.toString(8)}`,
    );
    const writers = fc.array(number, { minLength: 4, maxLength: 4 });
    const dots = fc.integer({ min: 0, max: 3 });
    await fc.assert(
      fc.asyncProperty(
        inner,
        dots,
        writers,
        fc.constantFrom('', '.'),
        async (bytes, heads, write, end) => {
          const rest = bytes.slice(heads).reduce((sum, byte) => sum * 256 + byte, 0);
          const host = [...bytes.slice(0, heads), rest]
            .map((value, at) => write[at]!(value))
            .join('.');
          expect(await guard().explainRefusal(`http://${host}${end}/`)).toBe(FORBIDDEN);
          const [a, b, c, d] = bytes as [number, number, number, number];
          const words = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
          for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:', '0:0:0:0:0:FFFF:']) {
            expect(await guard().explainRefusal(`http://[${prefix}${words}]/`)).toBe(FORBIDDEN);
          }
          expect(await guard().explainRefusal(`http://[2002:${words}::1]/`)).toBe(FORBIDDEN);
        },
      ),
    );
  });

  it('accepts what PUSH_ALLOW holds, checked after the name was resolved', async () => {
    const allowing = guard('127.0.0.2/32');
    expect(await allowing.explainRefusal('http://127.0.0.2:8080/')).toBeUndefined();
    expect(await allowing.explainRefusal('http://hook.example/')).toBeUndefined();
    expect(await allowing.explainRefusal('http://private.example/')).toBe(FORBIDDEN);
    expect(await allowing.explainRefusal('http://localhost/')).toBe(FORBIDDEN);
    expect(await guard('127.0.0.0/8').explainRefusal('http://localhost/')).toBeUndefined();
  });
});

describe('at dispatch', () => {
  const look = (host: string, options: { all?: boolean; family?: number }) =>
    new Promise((answer, reject) => {
      guard().lookup(host, options, (error, ...found) => {
        if (error) reject(error);
        else answer(found);
      });
    });

  it('admits no URL whose host is an address that is not to be reached', () => {
    expect(() => guard().admit('http://[::1]/')).toThrow(ForbiddenAddressError);
    expect(guard('::1').admit('http://[::1]/').host).toBe('[::1]');
  });

  it('gives addresses as the caller asks for them', async () => {
    expect(await look('public.example', { all: true })).toEqual([await resolve('public.example')]);
    expect(await look('public.example', {})).toEqual(['93.184.215.14', 4]);
    expect(await look('public.example', { family: 6 })).toEqual([NAMES['public.example']![1], 6]);
  });

  it('fails when there is no address, or one that is not to be reached', async () => {
    await expect(look('private.example', {})).rejects.toThrow(ForbiddenAddressError);
    await expect(look('mixed.example', { all: true })).rejects.toThrow(ForbiddenAddressError);
    await expect(look('hook.example', { family: 6 })).rejects.toThrow();
    await expect(look('down.example', {})).rejects.toThrow('ENOTFOUND down.example');
  });
});
