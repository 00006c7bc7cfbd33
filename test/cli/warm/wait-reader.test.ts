import { waitReader } from "../../../src/cli/warm/warm-provider";
import { createLogger } from "../../../src/core/provider-kit/records/logging";

test("shows the reasons for long waits in a provider's log, and nothing else", () => {
  const shown: string[] = [];
  const read = waitReader((reason) => shown.push(reason));
  // In pieces, as they come from a pipe.
  const write = (line: string): void => {
    for (let at = 0; at < line.length; at += 7) read(line.slice(at, at + 7));
  };
  const log = createLogger({ name: "signing", env: { TF_LOG_PROVIDER: "warn" }, write });
  log.warn("the registry is busy\u001b[31m; attempt 2 follows in 60 s", { waitMs: 60_000 });
  log.warn("a lost connection; attempt 2 follows in 0.5 s", { waitMs: 500 });
  log.warn("something else", { request: '"waitMs":60000' });
  write('{"waitMs":60000\n');
  write("panic: no JSON\n");
  expect(shown).toEqual(["the registry is busy\\u001b[31m; attempt 2 follows in 60 s"]);
});
