import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { fetchPage, openFetcher } from './fetch-page.js';
import { makeCertificate } from './make-certificate.js';
import { rawServer, response } from './raw-server.js';

const authority = makeCertificate({ name: 'An authority' });
const good = makeCertificate({ name: 'site', hosts: ['a.test', '127.0.0.1'], issuer: authority });
const expired = makeCertificate({
  name: 'old',
  hosts: ['a.test'],
  issuer: authority,
  notBefore: new Date('2001-01-01'),
  notAfter: new Date('2002-01-01'),
});
const selfSigned = makeCertificate({ name: 'own', hosts: ['a.test'] });
const ca = authority.cert;

test('TLS names the host and checks the certificate against it', async (t) => {
  const names: string[] = [];
  const server = await rawServer(
    t,
    (socket) => {
      names.push(`${(socket as unknown as { servername: string | false }).servername}`);
      socket.write(response('safe'));
    },
    good,
  );
  const fetcher = openFetcher(t, { ca });
  for (let i = 0; i < 2; i++) {
    assert.equal((await fetchPage(fetcher, `https://a.test:${server.port}/`)).text, 'safe');
  }
  assert.equal(server.connections, 1);
  assert.equal((await fetchPage(fetcher, `https://a.test.:${server.port}/`)).text, 'safe');
  assert.equal((await fetchPage(fetcher, `https://127.0.0.1:${server.port}/`)).text, 'safe');
  assert.deepEqual(names, ['a.test', 'a.test', 'a.test', 'false']);
  const other = await fetchPage(fetcher, `https://b.test:${server.port}/`);
  assert.deepEqual([other.failure, other.isTemporary, other.status], ['TLS', false, 0]);
});

test('the next connection goes on with the TLS session of the last', async (t) => {
  const reused: boolean[] = [];
  const server = await rawServer(
    t,
    (socket) => {
      reused.push((socket as TLSSocket).isSessionReused());
      socket.end(response('safe', 'connection: close'));
    },
    good,
  );
  const fetcher = openFetcher(t, { ca });
  for (let i = 0; i < 3; i++) await fetchPage(fetcher, `https://a.test:${server.port}/`);
  assert.deepEqual(reused, [false, true, true]);
});

test('bad certificates are refused, and taken with `insecure`', async (t) => {
  for (const [what, certificate] of Object.entries({ expired, selfSigned, unknownAuthority: good })) {
    const server = await rawServer(t, (socket) => socket.write(response('unsafe')), certificate);
    const url = `https://a.test:${server.port}/`;
    const page = await fetchPage(openFetcher(t, what === 'unknownAuthority' ? {} : { ca }), url);
    assert.deepEqual([page.failure, page.isTemporary, page.status], ['TLS', false, 0], what);
    assert.equal(server.requests.length, 0);
    assert.equal((await fetchPage(openFetcher(t, { ca, insecure: true }), url)).text, 'unsafe', what);
  }
});

test('a server that speaks no TLS, and one that says nothing', async (t) => {
  const quick = { connectTimeout: 100, timeout: 5000 };
  const plain = await rawServer(t, (socket) => socket.write(response('plain')));
  const silent = await fetchPage(openFetcher(t, quick), `https://a.test:${plain.port}/`);
  assert.deepEqual([silent.failure, silent.isTemporary], ['CONNECT_TIMEOUT', true]);
  const secure = await rawServer(t, (socket) => socket.write(response('safe')), good);
  const page = await fetchPage(openFetcher(t), `http://a.test:${secure.port}/`);
  assert.equal(page.failure, 'RESET');
});
