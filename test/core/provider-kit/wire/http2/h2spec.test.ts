import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { promisify } from "node:util";
import { headerBlock } from "../../../../../src/core/provider-kit/wire/http2/hpack";
import { Http2Connection } from "../../../../../src/core/provider-kit/wire/http2/http2-connection";
import { Http2Stream } from "../../../../../src/core/provider-kit/wire/http2/http2-streams";
import { onPath } from "../../../../on-path";

const program = onPath("h2spec");

const execute = promisify(execFile);
const head = headerBlock({ ":status": "200", "content-type": "text/plain" });

/** Answers each request with a short text. */
class Answer extends Http2Stream {
  constructor(
    readonly connection: Http2Connection,
    id: number,
  ) {
    super(id);
  }

  begin(): void {
    // It answers at the end of the request.
  }

  receive(): void {
    // The body means nothing.
  }

  receiveEnd(): void {
    const { sender } = this.connection;
    sender.sendHeaders(this, head, false);
    sender.sendData(this, Buffer.from("hello"), true, undefined);
  }

  closed(): void {
    // Nothing is held.
  }
}

(program === undefined ? describe.skip : describe)("h2spec, a conformance test of HTTP/2", () => {
  test("finds nothing in strict mode", async () => {
    const server = createServer((socket) => {
      new Http2Connection(
        socket,
        (connection, id) => new Answer(connection, id),
        () => undefined,
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const { stdout } = await execute(
        program ?? "",
        ["--strict", "-h", "127.0.0.1", "-p", String(port)],
        { maxBuffer: 1 << 26 },
      );
      expect(stdout).toMatch(/\b146 tests, 146 passed, 0 skipped, 0 failed/);
    } finally {
      server.close();
    }
  });
});
