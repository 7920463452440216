import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { FetchedPage } from '#drumline/model/web.js';
import { fetchPage, openFetcher } from './fetch-page.js';
import { rawServer, response } from './raw-server.js';

test('a request names host, crawler and what is wanted, and goes to the address given', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('hello')));
  const fetcher = openFetcher(t);
  const page = await fetchPage(fetcher, `http://nowhere.test:${server.port}/a/b?c=%20d&e`);
  assert.equal(page.text, 'hello');
  assert.equal(page.failure, '');
  assert.equal(page.contentType, 'text/html');
  const [first, ...headers] = server.requests[0]!.trim().toLowerCase().split('\r\n');
  assert.equal(first, 'get /a/b?c=%20d&e http/1.1');
  assert.ok(headers.includes(`host: nowhere.test:${server.port}`));
  assert.ok(headers.includes('user-agent: tested/1 (+mailto:me@example.org)'));
  assert.ok(headers.includes('accept-encoding: gzip, deflate, br'));
  assert.ok(headers.some((line) => line.startsWith('accept: text/html, ')));
});

test('without an address nothing is looked up', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('hello')));
  const page = await fetchPage(openFetcher(t), `http://localhost:${server.port}/`, '');
  assert.deepEqual([page.failure, page.isTemporary, server.connections], ['NO_ADDRESS', false, 0]);
});

test('a connection is kept for the next request', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('hello')));
  const fetcher = openFetcher(t);
  for (let i = 0; i < 5; i++) await fetchPage(fetcher, `http://a.test:${server.port}/${i}`);
  assert.equal(server.connections, 1);
  await fetchPage(fetcher, `http://b.test:${server.port}/`);
  assert.equal(server.connections, 2);
});

test('what is not wanted and short leaves the connection open', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('GIF89a', 'content-type: image/gif')));
  const fetcher = openFetcher(t);
  for (let i = 0; i < 3; i++) {
    assert.equal((await fetchPage(fetcher, `http://a.test:${server.port}/${i}`)).failure, 'UNWANTED_TYPE');
  }
  assert.equal(server.connections, 1);
});

test('a kept connection that the server closes as we send is opened again, once', async (t) => {
  for (const isStubborn of [false, true]) {
    const server = await rawServer(t, (socket, _request, { requests, connections }) => {
      if (requests.length === 1) socket.write(response('first'));
      else if (connections === 1 || isStubborn) socket.destroy();
      else socket.write(response('again'));
    });
    const fetcher = openFetcher(t);
    assert.equal((await fetchPage(fetcher, `http://a.test:${server.port}/`)).text, 'first');
    const page = await fetchPage(fetcher, `http://a.test:${server.port}/`);
    if (isStubborn) assert.deepEqual([page.failure, page.isTemporary], ['RESET', true]);
    else assert.equal(page.text, 'again');
    assert.deepEqual([server.connections, server.requests.length], [2, 3]);
  }
});

test('a repeated request begins with nothing of the first: its body comes whole', async (t) => {
  const body = 'x'.repeat(200_000);
  const server = await rawServer(t, (socket, _request, { requests, connections }) => {
    if (requests.length === 1) socket.write(response('first'));
    else if (connections === 1) socket.destroy();
    else {
      const whole = response(body);
      socket.write(whole.subarray(0, 3000));
      setTimeout(() => socket.write(whole.subarray(3000)), 20);
    }
  });
  const fetcher = openFetcher(t);
  await fetchPage(fetcher, `http://a.test:${server.port}/`);
  const page = await fetchPage(fetcher, `http://a.test:${server.port}/again`);
  assert.deepEqual([page.failure, page.isTruncated, page.bodyLength], ['', false, body.length]);
});

test('a request that is dropped after an interim answer, or later, is not sent again at once', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    if (request.includes('/good')) socket.write(response('good'));
    else if (request.includes('/interim')) socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
    else
      setTimeout(() => {
        fetcher.now += 2000;
        socket.destroy();
      }, 5);
  });
  const fetcher = openFetcher(t);
  for (const path of ['interim', 'late']) {
    const url = `http://${path}.test:${server.port}`;
    assert.equal((await fetchPage(fetcher, `${url}/good`)).text, 'good');
    const page = await fetchPage(fetcher, `${url}/${path}`);
    assert.deepEqual([page.failure, page.isTemporary], ['RESET', true], path);
    assert.equal(server.requests.filter((request) => request.includes(`/${path} `)).length, 1, path);
  }
});

test('nothing is sent to the bad ports of the Fetch standard', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('proxied')));
  const direct = openFetcher(t);
  const proxied = openFetcher(t, { proxy: `http://127.0.0.1:${server.port}` });
  for (const fetcher of [direct, proxied]) {
    for (const origin of [
      'http://a.test:6667',
      'https://a.test:22',
      'http://[2606:4700::1]:10080',
      'http://1.1.1.1:1',
    ]) {
      const page = await fetchPage(fetcher, `${origin}/`);
      assert.deepEqual([page.failure, page.isTemporary, page.status], ['BAD_PORT', false, 0], origin);
    }
  }
  assert.equal(server.connections, 0);
  for (const origin of ['http://a.test:8080', 'http://a.test', 'http://[2606:4700::6667]'])
    assert.equal((await fetchPage(proxied, `${origin}/`, '')).text, 'proxied', origin);
});

test('what must be read of a body is read whatever the bound says, coded too', async (t) => {
  const body = 'Disallow: /x\n'.repeat(5000);
  const server = await rawServer(t, (socket, request) => {
    if (request.includes('/gzip')) socket.write(response(gzipSync(body), 'content-encoding: gzip'));
    else socket.write(response(body));
  });
  const fetcher = openFetcher(t, { maxBody: 1000 });
  for (const path of ['/plain', '/gzip']) {
    const url = Buffer.from(`http://a.test:${server.port}${path}`);
    const read = (least: number): Promise<[number, boolean]> =>
      new Promise((resolve) => {
        const done = (page: FetchedPage): void => resolve([page.bodyLength, page.isTruncated]);
        fetcher.fetch(url, 0, url.length, '127.0.0.1', done, true, least);
      });
    assert.deepEqual(await read(100_000), [body.length, false], path);
    assert.deepEqual(await read(2000), [2000, true], path);
    assert.deepEqual(await read(0), [1000, true], path);
  }
});

test('the connection idle for longest is closed for another', async (t) => {
  const closed: string[] = [];
  const server = await rawServer(t, (socket, request) => {
    const host = /host: (\w+)/.exec(request)![1]!;
    socket.on('close', () => closed.push(host));
    socket.write(response(host));
  });
  const fetcher = openFetcher(t, { maxConnections: 3 });
  for (const host of ['a', 'b', 'c', 'a', 'd', 'e']) {
    assert.equal((await fetchPage(fetcher, `http://${host}.test:${server.port}/`)).text, host);
  }
  await fetchPage(fetcher, `http://a.test:${server.port}/`);
  assert.deepEqual(closed.sort(), ['b', 'c']);
  assert.equal(server.connections, 5);
});

test('bodies that end with their connection', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    if (request.includes('/1.0')) socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold');
    else socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nnew');
  });
  const fetcher = openFetcher(t);
  assert.equal((await fetchPage(fetcher, `http://a.test:${server.port}/1.0`)).text, 'old');
  assert.equal((await fetchPage(fetcher, `http://a.test:${server.port}/1.1`)).text, 'new');
});

test('answers without a body', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    const status = /\/(\d+)/.exec(request)![1];
    socket.write(`HTTP/1.1 ${status} Some Text\r\nx-one: 1\r\n\r\n`);
  });
  const fetcher = openFetcher(t);
  for (const status of [204, 304]) {
    const page = await fetchPage(fetcher, `http://a.test:${server.port}/${status}`);
    assert.deepEqual([page.status, page.bodyLength, page.failure, page.isTemporary], [status, 0, '', false]);
    assert.equal(page.statusLine, `HTTP/1.1 ${status} Some Text`);
  }
  assert.equal(server.connections, 1);
});

test('an answer without a body may tell the length that it would have', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    const status = /\/(\d+)/.exec(request)![1];
    if (status === '200') socket.write(response('whole'));
    else socket.write(`HTTP/1.1 ${status} Some Text\r\netag: "x"\r\ncontent-length: 55\r\n\r\n`);
  });
  const fetcher = openFetcher(t);
  for (const status of [304, 200, 204, 304]) {
    const { rawHeaders, ...page } = await fetchPage(fetcher, `http://a.test:${server.port}/${status}`);
    const bodyLength = status === 200 ? 5 : 0;
    assert.deepEqual([page.status, page.bodyLength, page.failure], [status, bodyLength, '']);
    if (status !== 200) assert.deepEqual(rawHeaders.map(String), ['etag', '"x"', 'content-length', '55']);
  }
});

test('headers and the text behind the status keep their bytes', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    const text = request.includes('/utf8') ? 'caf\xc3\xa9' : 'caf\xe9';
    socket.write(response('page', `X-Odd: ${text}`, `200 ${text}`));
  });
  const fetcher = openFetcher(t);
  const utf8 = await fetchPage(fetcher, `http://a.test:${server.port}/utf8`);
  const latin1 = await fetchPage(fetcher, `http://a.test:${server.port}/latin1`);
  assert.deepEqual(
    [utf8.statusLine, latin1.statusLine],
    ['HTTP/1.1 200 caf\xc3\xa9', 'HTTP/1.1 200 caf\xe9'],
  );
  const values = [utf8, latin1].map(({ rawHeaders }) => rawHeaders[1]!.toString('latin1'));
  assert.deepEqual(values, ['caf\xc3\xa9', 'caf\xe9']);
});

test('redirects are handed back', async (t) => {
  const headers = 'location: /caf\xc3\xa9?x=1\r\ncontent-type: image/gif';
  const server = await rawServer(t, (socket) => socket.write(response('moved', headers, '301 Moved')));
  const page = await fetchPage(openFetcher(t), `http://a.test:${server.port}/`);
  assert.deepEqual([page.status, page.location, page.failure], [301, '/café?x=1', '']);
  assert.equal(server.requests.length, 1);
});

test('a redirect is whole without its body', async (t) => {
  const redirect = 'HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 100\r\n';
  const server = await rawServer(t, (socket, request) => {
    if (request.includes('/cut')) socket.end(`${redirect}\r\nsome`);
    else socket.end(response('no gzip', 'location: /there\r\ncontent-encoding: gzip', '302 Found'));
  });
  const fetcher = openFetcher(t);
  for (const path of ['cut', 'coded']) {
    const page = await fetchPage(fetcher, `http://a.test:${server.port}/${path}`);
    assert.deepEqual(
      [page.status, page.failure, page.location, page.bodyLength],
      [302, '', '/there', 0],
      path,
    );
  }
});

test('which statuses pass', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    socket.write(response('', 'x-one: 1', `${/\/(\d+)/.exec(request)![1]} Text`));
  });
  const fetcher = openFetcher(t);
  const passing: number[] = [];
  for (const status of [200, 301, 400, 403, 404, 408, 410, 429, 500, 502, 503, 504]) {
    const page = await fetchPage(fetcher, `http://a.test:${server.port}/${status}`);
    assert.deepEqual([page.status, page.failure], [status, '']);
    if (page.isTemporary) passing.push(status);
  }
  assert.deepEqual(passing, [408, 429, 500, 502, 503, 504]);
});

test('headers as received', async (t) => {
  const headers = [
    'Content-TYPE: text/html; charset="x"',
    'x-robots-tag: noindex',
    'X-Robots-Tag:  otherbot: nofollow ',
    'Link: </a>; rel=canonical',
    'link: </b>; rel=next',
    'Retry-After: 120',
  ];
  const server = await rawServer(t, (socket) =>
    socket.write(response('x', headers.join('\r\n'), '429 Too Many')),
  );
  const page = await fetchPage(openFetcher(t), `http://a.test:${server.port}/`);
  assert.equal(page.contentType, 'text/html; charset="x"');
  assert.equal(page.robotsTag, 'noindex\notherbot: nofollow');
  assert.equal(page.link, '</a>; rel=canonical, </b>; rel=next');
  assert.equal(page.retryAfter, 120_000);
  assert.equal(page.statusLine, 'HTTP/1.1 429 Too Many');
  const raw = page.rawHeaders.map(String);
  assert.deepEqual(raw.slice(0, 4), ['Content-TYPE', 'text/html; charset="x"', 'x-robots-tag', 'noindex']);
  assert.equal(raw.length, 14);
});

test('bodies in pieces, plain and coded, arrive whole', async (t) => {
  const text = Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 10_007}`).join(' ');
  const codings: Record<string, (body: string) => Buffer> = {
    '': (body) => Buffer.from(body),
    gzip: (body) => gzipSync(body),
    'X-Gzip': (body) => gzipSync(body),
    deflate: (body) => deflateSync(body),
    'deflate ': (body) => deflateRawSync(body),
    br: (body) => brotliCompressSync(body),
    'gzip, br': (body) => brotliCompressSync(gzipSync(body)),
    'utf-8': (body) => Buffer.from(body),
  };
  const server = await rawServer(t, (socket, request) => {
    const [, coding, size] = /GET \/(.*)\/(\d+) /.exec(request)!;
    const name = decodeURIComponent(coding!);
    const body = codings[name]!(text);
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${name}\r\ntransfer-encoding: chunked\r\n\r\n`);
    for (let at = 0; at < body.length; at += Number(size)) {
      const piece = body.subarray(at, at + Number(size));
      socket.write(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
    }
    socket.write('0\r\n\r\n');
  });
  const fetcher = openFetcher(t);
  const wanted: Promise<void>[] = [];
  for (const coding of Object.keys(codings)) {
    for (const size of [777, 20_000, 1_000_000]) {
      const path = `${encodeURIComponent(coding)}/${size}`;
      const host = `${wanted.length}.test:${server.port}`;
      wanted.push(
        fetchPage(fetcher, `http://${host}/${path}`).then((page) => {
          assert.deepEqual([page.failure, page.isTruncated], ['', false], path);
          assert.ok(page.text === text, `${path}: ${page.bodyLength} bytes`);
        }),
      );
    }
  }
  await Promise.all(wanted);
  assert.equal(fetcher.memory.reserved, 0);
});

test('a UTF-16 page is handed over as it is', async (t) => {
  const body = Buffer.from('\ufeff<a href="/x">', 'utf16le');
  const server = await rawServer(t, (socket) => socket.write(response(body)));
  const page = await fetchPage(openFetcher(t), `http://a.test:${server.port}/`);
  assert.equal(page.text, body.toString('latin1'));
});

test('whoever takes any type gets it', async (t) => {
  const server = await rawServer(t, (socket) => socket.write(response('x', 'content-type: application/pdf')));
  const fetcher = openFetcher(t);
  const url = Buffer.from(`http://a.test:${server.port}/robots.txt`);
  const length = await new Promise<number>((resolve) => {
    fetcher.fetch(url, 0, url.length, '127.0.0.1', (page) => resolve(page.bodyLength), true);
  });
  assert.equal(length, 1);
  const other = await fetchPage(fetcher, url.toString());
  assert.equal(other.failure, 'UNWANTED_TYPE');
});

test('large bodies wait for each other instead of taking more memory', async (t) => {
  const body = 'x'.repeat(600_000);
  const server = await rawServer(t, (socket) => socket.write(response(body)));
  const fetcher = openFetcher(t, { bodyMemory: 1_500_000, maxBody: 1_000_000 });
  const reserved: number[] = [];
  await new Promise<void>((resolve) => {
    for (let i = 0; i < 12; i++) {
      const url = Buffer.from(`http://${i}.test:${server.port}/`);
      fetcher.fetch(url, 0, url.length, '127.0.0.1', (page) => {
        assert.deepEqual([page.failure, page.bodyLength], ['', body.length]);
        if (reserved.push(fetcher.memory.reserved) === 12) resolve();
      });
    }
  });
  assert.ok(Math.min(...reserved) >= body.length, `${reserved}`);
  assert.ok(Math.max(...reserved) <= 2_500_000, `${reserved}`);
  assert.equal(fetcher.memory.reserved, 0);
});

test('a body that waits for memory does not time out, whoever it waits for', async (t) => {
  const large = 'x'.repeat(400_000);
  let dripping: Socket | null = null;
  const server = await rawServer(t, (socket, request) => {
    if (!request.includes('host: slow')) socket.write(response(large));
    else {
      dripping = socket;
      socket.write(response(large).subarray(0, 200_000));
    }
  });
  const fetcher = openFetcher(t, {
    bodyMemory: 100_000,
    maxBody: 500_000,
    timeout: 60_000,
    bodyTimeout: 60_000,
  });
  const slow = fetchPage(fetcher, `http://slow.test:${server.port}/`);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await until(() => fetcher.memory.reserved >= 500_000);
  const waiting = ['a', 'b', 'c'].map((host) => fetchPage(fetcher, `http://${host}.test:${server.port}/`));
  await until(() => fetcher.memory.waiting === waiting.length);
  // Longer than any of them may take, and not too long for one that is listened to.
  fetcher.now += 50_000;
  dripping!.write(Buffer.alloc(100, 'x'));
  await new Promise((resolve) => setTimeout(resolve, 30));
  fetcher.now += 15_000;
  assert.equal((await slow).failure, 'TIMEOUT');
  for (const page of await Promise.all(waiting))
    assert.deepEqual([page.failure, page.bodyLength], ['', large.length]);
  assert.equal(fetcher.memory.reserved, 0);
});

test('headers that come in pieces keep their bytes while other connections read', async (t) => {
  const server = await rawServer(t, (socket, request) => {
    const name = /host: (\w+)/i.exec(request)![1]!;
    const whole = response('x'.repeat(100_000), `x-name: ${name.repeat(50)}\r\ncontent-type: text/html`);
    let at = 0;
    const send = (): void => {
      if (at >= 300) socket.write(whole.subarray(at));
      else {
        socket.write(whole.subarray(at, at + 37));
        at += 37;
        setTimeout(send, 2);
      }
    };
    send();
  });
  const fetcher = openFetcher(t);
  const names = ['alpha', 'beta', 'gamma', 'delta'];
  for (const [i, page] of (
    await Promise.all(names.map((name) => fetchPage(fetcher, `http://${name}.test:${server.port}/`)))
  ).entries()) {
    assert.deepEqual(page.rawHeaders.slice(0, 2).map(String), ['x-name', names[i]!.repeat(50)]);
    assert.deepEqual([page.failure, page.text], ['', 'x'.repeat(100_000)]);
  }
});

test('after close nothing is called back', async (t) => {
  const held: string[] = [];
  let whenHeld: () => void = () => {};
  const server = await rawServer(t, (socket, request) => {
    held.push(request);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsome');
    if (held.length === 3) whenHeld();
  });
  // A busy machine may take its time until all are held.
  const fetcher = openFetcher(t, { timeout: 60_000 });
  let calls = 0;
  const isHeld = new Promise<void>((resolve) => {
    whenHeld = resolve;
  });
  for (const host of ['a', 'b', 'c']) {
    const url = Buffer.from(`http://${host}.test:${server.port}/`);
    fetcher.fetch(url, 0, url.length, '127.0.0.1', () => calls++);
  }
  await isHeld;
  fetcher.close();
  const other = openFetcher(t, { timeout: 100 });
  await fetchPage(other, `http://d.test:${server.port}/`);
  assert.equal(calls, 0);
});
