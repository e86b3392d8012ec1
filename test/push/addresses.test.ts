import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayReach, parseAllowList } from '../../src/push/addresses.ts';

const none = parseAllowList([]);

describe('mayReach', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
  ])('lets %s through', (address) => {
    expect(mayReach(address, none)).toBe(true);
  });

  it.each([
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ['link-local', '169.254.0.1', 'fe80::1', 'febf::1'],
    ['unique-local', 'fc00::1', 'fdff::1'],
    ['site-local', 'fec0::1'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1', '192.0.0.1', '192.88.99.1', '100::1', '5f00::1', '4000::1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarks', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['metadata', '169.254.169.254', 'fd00:ec2::254', '168.63.129.16', '100.100.100.200'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0a00:1'],
    ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::808:808'],
    ['IPv4-translated', '::ffff:0:10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1'],
    ['6to4', '2002:a00:1::1'],
    ['Teredo', '2001:0:53aa:64c::1'],
    ['no address', '', 'localhost', '127.1', '0x7f000001', '[::1]', '999.0.0.1'],
  ])('keeps from %s', (_name, ...addresses) => {
    for (const address of addresses)
      expect([address, mayReach(address, none)]).toEqual([address, false]);
  });

  it('lets through what the list holds, and no more', () => {
    const allow = parseAllowList(['127.0.0.2/32', '10.1.0.0/16', 'fd00:1::/32', '::1']);
    const reached = ['127.0.0.2', '::ffff:127.0.0.2', '10.1.255.1', 'fd00:1::9', '::1', '8.8.8.8'];
    for (const address of reached)
      expect([address, mayReach(address, allow)]).toEqual([address, true]);
    const kept = [
      '127.0.0.1',
      '10.2.0.1',
      'fd00:2::1',
      '::',
      '::ffff:10.2.0.1',
      '64:ff9b::127.0.0.2',
    ];
    for (const address of kept)
      expect([address, mayReach(address, allow)]).toEqual([address, false]);
  });

  it('gives an answer for every address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(mayReach(address, none)).toBeTypeOf('boolean');
        expect(mayReach(address, parseAllowList(['0.0.0.0/0', '::/0']))).toBe(true);
      }),
    );
  });
});

describe('parseAllowList', () => {
  it.each([
    ['localhost', '"localhost" is not an address or a CIDR block'],
    ['10.0.0', '"10.0.0" is not an address'],
    ['010.0.0.1', '"010.0.0.1" is not an address'],
    ['fe80::1%eth0', '"fe80::1%eth0" is not an address'],
    [
      '10.0.0.0/33',
      '"10.0.0.0/33" is not a CIDR block: after the slash comes a whole number from 0 to 32',
    ],
    [
      '::1/129',
      '"::1/129" is not a CIDR block: after the slash comes a whole number from 0 to 128',
    ],
    ['10.0.0.0/8/8', '"10.0.0.0/8/8" is not a CIDR block'],
    ['10.0.0.0/', '"10.0.0.0/" is not a CIDR block'],
    ['10.0.0.0/255.0.0.0', '"10.0.0.0/255.0.0.0" is not a CIDR block'],
  ])('says what is wrong with %s', (text, message) => {
    expect(() => parseAllowList(['8.8.8.8', text])).toThrow(message);
  });
});
