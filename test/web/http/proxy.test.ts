import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { UsageError } from '#drumline/model/errors.js';
import { ProxiedNames } from '#drumline/web/http/proxied-names.js';
import { fetchPage, openFetcher } from './fetch-page.js';
import { makeCertificate } from './make-certificate.js';
import { rawServer, response } from './raw-server.js';

test('a proxy gets whole URLs, and connections stay open', async (t) => {
  const proxy = await rawServer(t, (socket, request) => socket.write(response(request.split('\r\n')[0]!)));
  const fetcher = openFetcher(t, { proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}` });
  for (let i = 0; i < 2; i++) {
    const page = await fetchPage(fetcher, 'http://site.test/a?b', '');
    assert.equal(page.text, 'GET http://site.test/a?b HTTP/1.1');
  }
  assert.equal(proxy.connections, 1);
  assert.match(proxy.requests[0]!, /\r\nhost: site\.test\r\n/i);
  const authorization = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  assert.ok(proxy.requests[0]!.includes(`proxy-authorization: ${authorization}\r\n`));
});

test('TLS goes through the proxy, unread', async (t) => {
  const authority = makeCertificate({ name: 'An authority' });
  const site = makeCertificate({ name: 'site', hosts: ['site.test'], issuer: authority });
  const server = await rawServer(t, (socket) => socket.write(response('safe')), site);
  const proxy = await rawServer(t, (socket, request) => {
    if (!request.startsWith('CONNECT site.test:443 ')) return;
    const onward = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Fine\r\n\r\n');
      socket.removeAllListeners('data');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const options = { proxy: `http://127.0.0.1:${proxy.port}`, ca: authority.cert, connectTimeout: 1000 };
  const fetcher = openFetcher(t, options);
  assert.equal((await fetchPage(fetcher, 'https://site.test/', '')).text, 'safe');
  assert.ok(!server.requests[0]!.includes('proxy-authorization'));
  const silent = await fetchPage(
    openFetcher(t, { ...options, connectTimeout: 50 }),
    'https://other.test/',
    '',
  );
  assert.equal(silent.failure, 'CONNECT_TIMEOUT');
});

test('a proxy that refuses, and one that is not there', async (t) => {
  const proxy = await rawServer(t, (socket) => socket.end(response('no', 'x-one: 1', '403 Forbidden')));
  const refused = openFetcher(t, { proxy: `http://127.0.0.1:${proxy.port}` });
  const page = await fetchPage(refused, 'https://site.test/', '');
  assert.deepEqual([page.failure, page.isTemporary], ['CONNECT', true]);
  const gone = openFetcher(t, { proxy: 'http://127.0.0.1:1' });
  for (const url of ['http://site.test/', 'https://site.test/']) {
    assert.equal((await fetchPage(gone, url, '')).failure, 'CONNECT');
  }
  for (const bad of ['nonsense', 'socks5://127.0.0.1:1080']) {
    assert.throws(
      () => openFetcher(t, { proxy: bad }),
      (error: Error) => {
        return error instanceof UsageError && error.message.includes(`got '${bad}'`);
      },
    );
  }
});

test('private addresses and this machine are not asked for through a proxy, unless allowed', async (t) => {
  const proxy = await rawServer(t, (socket) => socket.write(response('through')));
  const options = { proxy: `http://127.0.0.1:${proxy.port}` };
  const hosts = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.1]',
    'localhost',
    'a.localhost.',
  ];
  const fetcher = openFetcher(t, options);
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const page = await fetchPage(fetcher, `${scheme}://${host}:8080/`, '');
      assert.deepEqual([page.failure, page.isTemporary], ['PRIVATE_ADDRESS', false], `${scheme}://${host}`);
    }
    const names = new ProxiedNames(false);
    names.resolve(host, (address, failure) =>
      assert.deepEqual([address, failure], ['', 'PRIVATE_ADDRESS'], host),
    );
  }
  assert.equal(proxy.connections, 0);
  const allowed = openFetcher(t, { ...options, allowPrivate: true });
  for (const host of hosts) {
    assert.equal((await fetchPage(allowed, `http://${host}/`, '')).text, 'through', host);
    new ProxiedNames(true).resolve(host, (address, failure) =>
      assert.deepEqual([address, failure], ['', '']),
    );
  }
  for (const host of ['site.test', '1.1.1.1', 'localhost.example'])
    assert.equal((await fetchPage(fetcher, `http://${host}/`, '')).text, 'through', host);
});
