import { explainFailure } from "../../../src/core/http/explain-failure";

const label = { method: "GET", url: new URL("https://service.example/a?token=x") } as const;
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });
const said = (failure: unknown, stage: "no answer" | "answering" = "no answer") =>
  explainFailure(failure, label, [], stage).message;

test.each([
  [
    coded("ENOTFOUND", "getaddrinfo"),
    /got no response: the host name service\.example cannot be resolved$/,
  ],
  [
    coded("ECONNREFUSED", "connect"),
    /got no response: no server is listening on service\.example$/,
  ],
  [coded("EPIPE", "write"), /got no response: write \(EPIPE\)$/],
  [coded("EPIPE", ""), /got no response: EPIPE$/],
  [new Error("broken"), /got no response: broken$/],
  [new Error(""), /got no response: the system names no reason$/],
])("%s is explained", (failure, expected) => {
  expect(said(failure)).toMatch(expected);
});

test("a connection that was closed says when", () => {
  const closed = coded("ECONNRESET", "socket hang up");
  expect(said(closed)).toContain("closed before the response (ECONNRESET)");
  expect(said(closed, "answering")).toContain("closed during the response (ECONNRESET)");
});
