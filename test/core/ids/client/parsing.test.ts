import { parseBaseUrl } from "../../../../src/core/ids/client/client";
import { formatEndpointName, parseEndpointName } from "../../../../src/core/ids/endpoint/name";
import { changedFields } from "../../../../src/core/ids/endpoint/state";
import { parseRetryAfter } from "../../../../src/core/http/retry";
import { serverMessage } from "../../../../src/core/http/server-message";
import { statusToError } from "../../../../src/core/ids/client/api-error";

describe("the base URL", () => {
  test.each([
    ["https://ids.googleapis.com/v1/", "https://ids.googleapis.com/v1/"],
    ["https://ids.googleapis.com/v1", "https://ids.googleapis.com/v1/"],
    ["https://proxy.example:8443/ids/v1", "https://proxy.example:8443/ids/v1/"],
    ["http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/"],
    ["http://localhost:8080/v1/", "http://localhost:8080/v1/"],
    ["http://[::1]:8080/v1/", "http://[::1]:8080/v1/"],
  ])("%s is accepted", (text, url) => {
    expect(parseBaseUrl(text)).toEqual({ url });
  });

  test.each([
    ["ids.googleapis.com/v1/", "is not a URL"],
    ["ftp://ids.googleapis.com/v1/", "has the scheme ftp"],
    ["http://ids.googleapis.com/v1/", "in clear text to ids.googleapis.com"],
    ["http://127.0.0.1.example.com/v1/", "in clear text"],
    ["http://localhost.example.com/v1/", "in clear text"],
    ["https://user:secret@ids.googleapis.com/v1/", "user information"],
    ["https://ids.googleapis.com/v1/?key=secret", "has a query"],
    ["https://ids.googleapis.com/", "it must end with the API version /v1/"],
    ["https://ids.googleapis.com/v2/", "has the path /v2/"],
  ])("%s is refused", (text, reason) => {
    const parsed = parseBaseUrl(text);
    const problem = "problem" in parsed ? parsed.problem : "";
    expect(problem).toContain(reason);
    expect(problem).not.toContain("secret");
  });
});

describe("names", () => {
  test("of endpoints are parsed and formatted", () => {
    const parts = { project: "example.com:web", location: "us-central1-a", endpointId: "edge" };
    const name = "projects/example.com:web/locations/us-central1-a/endpoints/edge";
    expect(formatEndpointName(parts)).toBe(name);
    expect(parseEndpointName(name)).toEqual(parts);
  });

  test.each(["", "projects/p/locations/l/endpoints/", "projects/p/locations/../endpoints/e"])(
    "of endpoints are not %j",
    (text) => {
      expect(parseEndpointName(text)).toBeUndefined();
    },
  );

  test.each([
    ["https://www.googleapis.com/compute/v1/projects/p/global/networks/n", true],
    ["https://compute.googleapis.com/compute/v1/projects/p/global/networks/n", true],
    ["projects/p/global/networks/other", false],
    ["n", false],
  ])("of networks are compared by what follows projects/: %s", (text, same) => {
    const changed = changedFields({ network: "projects/p/global/networks/n" }, { network: text });
    expect(changed).toEqual(same ? [] : ["network"]);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");
  test.each([
    ["3", 3_000],
    ["Sun, 01 Mar 2026 12:00:05 GMT", 5_000],
    ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-1", undefined],
    [undefined, undefined],
  ])("%j is %j ms", (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });
});

describe("a status", () => {
  test("without a name is named by its number", () => {
    const error = statusToError({ code: 6, message: "there" }, { httpStatus: 200 });
    expect(error).toMatchObject({ code: "ALREADY_EXISTS", message: "there" });
  });

  test("contains the delay in its details", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.5s" }];
    const status = { code: 429, status: "RESOURCE_EXHAUSTED", message: "slow down", details };
    expect(statusToError(status, { httpStatus: 429 })).toMatchObject({ retryAfterMs: 1_500 });
  });

  test.each([undefined, null, "x", [], {}, { code: 0 }, { status: "NEW" }])(
    "%j is not a status",
    (value) => {
      expect(statusToError(value, { httpStatus: 500 })).toBeUndefined();
    },
  );
});

test("a quoted server response is one line of at most 500 characters", () => {
  expect(serverMessage("a\r\n\u001b[31mb\u2028c")).toBe("a \\u001b[31mb c");
  expect(Array.from(serverMessage("😀".repeat(600)))).toHaveLength(500);
});
