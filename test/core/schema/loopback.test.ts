import { isLoopbackAuthority, isLoopbackHost, serviceUrl } from "../../../src/core/schema/loopback";

/** As written in a URL. */
const loopback = [
  "localhost",
  "LocalHost",
  "localhost.",
  "127.0.0.1",
  "127.9.99.255",
  "127.0.0.0",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::FFFF:127.1.2.3]",
  "[::ffff:7f00:1]",
  "[::ffff:7fff:ffff]",
];

const others = [
  "",
  "localhost..",
  ".localhost",
  "a.localhost",
  "localhost.example",
  "localhostx",
  "xlocalhost",
  "127.0.0.1.example",
  "127.0.0.1.",
  "127.0.0.256",
  "127.0.0.01",
  "127.0.0",
  "127.1",
  "1270.0.0.1",
  "127x0.0.1",
  "128.0.0.1",
  "0.0.0.0",
  "10.0.0.1",
  "[::]",
  "[::2]",
  "[::11]",
  "[::ffff:128.0.0.1]",
  "[::ffff:8000:1]",
  "[::ffff:7f0:1]",
  "[::1",
  "[127.0.0.1]",
  "localhost\n",
  "user@localhost",
  "localhost@example.com",
  "localhost#.example.com",
];

describe("this machine", () => {
  test.each(loopback)("is %s", (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(isLoopbackAuthority(host)).toBe(true);
    expect(isLoopbackAuthority(`${host}:8080`)).toBe(true);
    expect(serviceUrl.test(`http://${host}:8080/v1/`)).toBe(true);
    expect(isLoopbackHost(new URL(`http://${host}`).hostname)).toBe(true);
  });

  test.each(["::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])("is %s without a port", (host) => {
    expect(isLoopbackHost(host)).toBe(true);
    expect(isLoopbackAuthority(host)).toBe(false);
    expect(serviceUrl.test(`http://${host}/`)).toBe(false);
  });
});

describe("another machine, or an invalid host,", () => {
  test.each(others)("is %j", (host) => {
    expect(isLoopbackHost(host)).toBe(false);
    expect(isLoopbackAuthority(host)).toBe(false);
    expect(isLoopbackAuthority(`${host}:80`)).toBe(false);
    expect(serviceUrl.test(`http://${host}/`)).toBe(false);
  });

  test.each(["localhost:", "localhost:x", "localhost:80:80", "localhost:80/", "[::1]80"])(
    "is %j",
    (authority) => {
      expect(isLoopbackAuthority(authority)).toBe(false);
    },
  );
});

describe("the URL of a service", () => {
  test.each(["https://example.com", "HTTPS://example.com:8443/a/b", "http://localhost"])(
    "can be %s",
    (url) => {
      expect(serviceUrl.test(url)).toBe(true);
    },
  );

  test.each([
    "http://example.com",
    "https://",
    "https://u@example.com",
    "https://example.com?q",
    "https://example.com/#f",
    "https://example.com/a b",
    "http://localhost\\@example.com",
    "http://localhost:x",
    "ftp://localhost",
    " https://example.com",
    "https://example.com\n",
  ])("cannot be %j", (url) => {
    expect(serviceUrl.test(url)).toBe(false);
  });
});
