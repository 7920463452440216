/**
 * Serves directories on 127.0.0.1, 127.0.0.2, ...: by nginx where it is installed, else by a Node process, which takes more
 * of the machine. Both write a line a request to a log: method, status, type, host and path.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const STATIC_SERVER = fileURLToPath(new URL('static-server.js', import.meta.url));

export class WebServer {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly #process: ChildProcess;
  readonly #log: string;

  private constructor(
    name: string,
    child: ChildProcess,
    log: string,
    port: number,
    roots: readonly string[],
  ) {
    this.name = name;
    this.#process = child;
    this.#log = log;
    this.seeds = roots.map((_, i) => `http://127.0.0.${i + 1}:${port}/`);
  }

  /** `directory` takes the server's own files. */
  static async start(roots: readonly string[], directory: string): Promise<WebServer> {
    const port = await freePort();
    const log = join(directory, 'access.log');
    writeFileSync(log, '');
    const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
    let child: ChildProcess;
    if (hasNginx) {
      const configuration = join(directory, 'nginx.conf');
      writeFileSync(configuration, nginxConfiguration(roots, port, directory));
      child = spawn('nginx', ['-c', configuration, '-p', directory, '-e', join(directory, 'error.log')]);
    } else {
      child = fork(STATIC_SERVER, [`${port}`, log, ...roots]);
      await once(child, 'message');
    }
    const server = new WebServer(hasNginx ? 'nginx' : 'Node', child, log, port, roots);
    await server.#waitUntilUp();
    return server;
  }

  /** The distinct HTML pages served since the last call, and how many requests there were, of whatever kind. */
  takePages(): { pages: Set<string>; requests: number } {
    const lines = readFileSync(this.#log, 'latin1').trimEnd().split('\n');
    truncateSync(this.#log);
    const pages = lines.filter((line) => line.startsWith('GET 200 text/html'));
    return { pages: new Set(pages.map((line) => line.slice(line.indexOf('127.')))), requests: lines.length };
  }

  stop(): void {
    this.#process.kill();
  }

  async #waitUntilUp(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        for (const seed of this.seeds) await (await fetch(seed)).arrayBuffer();
        this.takePages();
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await sleep(100);
      }
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

function nginxConfiguration(roots: readonly string[], port: number, directory: string): string {
  const sites = roots.map((root, i) => {
    const address = `127.0.0.${i + 1}:${port}`;
    return `server { listen ${address}; server_name ${address}; root ${root}; index index.html; charset utf-8; }`;
  });
  return `daemon off; worker_processes 1; pid ${join(directory, 'nginx.pid')};
events { worker_connections 1024; }
http {
  include /etc/nginx/mime.types;
  log_format lines '$request_method $status $sent_http_content_type $http_host $request_uri';
  access_log ${join(directory, 'access.log')} lines;
  client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory};
  uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
  keepalive_requests 1000000; sendfile on;
  ${sites.join('\n  ')}
}
`;
}
