import { environmentProxy } from "../../../src/core/http/node-transport";

const proxy = "http://proxy.example:3128";

describe("the proxy of the environment", () => {
  test.each([
    ["nothing", {}, "https://a.example/", undefined],
    ["HTTP_PROXY", { HTTP_PROXY: proxy }, "http://a.example/", proxy],
    ["HTTP_PROXY alone", { HTTP_PROXY: proxy }, "https://a.example/", proxy],
    ["HTTPS_PROXY", { HTTPS_PROXY: proxy }, "https://a.example/", proxy],
    ["HTTPS_PROXY", { HTTPS_PROXY: proxy }, "http://a.example/", undefined],
    ["lowercase first", { https_proxy: proxy, HTTPS_PROXY: "x" }, "https://a.example/", proxy],
    ["HTTP_PROXY", { HTTP_PROXY: proxy }, "http://169.254.169.254/", undefined],
    ["HTTP_PROXY", { HTTP_PROXY: proxy }, "http://metadata.google.internal/", undefined],
    ["an empty string", { https_proxy: "", HTTPS_PROXY: proxy }, "https://a.example/", undefined],
  ])("%s", (_, environment, url, expected) => {
    expect(environmentProxy(environment)(new URL(url))).toBe(expected);
  });

  test.each([
    ["*", "https://a.example/", true],
    [" * ", "https://a.example/", true],
    ["*, b.example", "https://a.example/", false],
    ["b.example *", "https://a.example/", false],
    ["b.example, *", "https://b.example/", true],
    ["a.example", "https://a.example/", true],
    ["a.example", "https://b.a.example/", true],
    ["a.example", "https://ba.example/", false],
    [".a.example", "https://a.example/", true],
    ["*.a.example", "https://b.a.example/", true],
    ["A.Example", "https://a.example/", true],
    ["x, a.example:443", "https://a.example/", true],
    ["a.example:80", "https://a.example/", false],
    ["a.example:80 b", "http://a.example/", true],
    ["a.example:8443", "https://a.example:8443/", true],
    ["10.0.0.1", "https://10.0.0.1/", true],
    ["10.0.0.1", "https://10.0.0.10/", false],
    ["", "https://a.example/", false],
  ])("NO_PROXY %j excepts %s: %s", (exceptions, url, isExcepted) => {
    const proxyOf = environmentProxy({ HTTP_PROXY: proxy, NO_PROXY: exceptions });
    expect(proxyOf(new URL(url))).toBe(isExcepted ? undefined : proxy);
  });
});
