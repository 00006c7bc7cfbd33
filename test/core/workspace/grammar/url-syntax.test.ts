import fc from "fast-check";
import { urlProblem, urlRule } from "../../../../src/core/workspace/grammar/url-syntax";
import { findings } from "./findings";

test.each([
  "",
  "/",
  "*",
  "/icon/code.svg",
  "../icon.svg",
  "./a:b",
  "a/b:c",
  "icon.svg",
  "//cdn.test/i.svg",
  "///a:b",
  "builtin:x",
  "data:image/png;base64,AA==",
  "data:%zz",
  "mailto:me@a.test",
  "https://a.test",
  "https://a.test:",
  "https://a.test:8443/p?q=%zz#f",
  "HTTPS://A.test",
  "ftp://a.test",
  "postgres://a:1,b:2/db",
  "https://me:pass%40@a.test/",
  "https://a@b@c.test/",
  "https://bücher.test/é?ü",
  "https://b%C3%BCcher.test",
  "https://a%25b.test",
  'https://<a>"&.test',
  "https://a]",
  "https://[::1]",
  "https://[::1]:80/",
  "https://[::ffff:1.2.3.4]",
  "https://[1:2:3:4:5:6:7::]",
  "https://[fe80::1%25en0]",
  "https://[fe80::1%25en%200%41]",
  "/a b",
  "/a?b c",
  "/a#\n",
  "https://",
  "https:///a",
])("reads %j as a URL", (text) => {
  expect(urlProblem(text)).toBeUndefined();
});

const escape = "must have two hexadecimal digits after each %";
const colon = "must not have a colon in the first segment of a relative path";
const host =
  "must not contain spaces or other special characters in its host, even percent-escaped";
const port = "must have a numeric port";
const address = "must have an IPv6 address inside [ ]";

test.each([
  ["/i%.svg", escape],
  ["/a%4", escape],
  ["/%zz", escape],
  ["/a#%", escape],
  ["*#%zz", escape],
  ["data:#%", escape],
  ["https://a%.test", escape],
  ["https://me%@a.test", escape],
  ["/a\n", "must not contain control characters"],
  ["/a\u007f", "must not contain control characters"],
  [":a", "must have a scheme before its first colon"],
  ["1:a", colon],
  ["a b:c", colon],
  ["é:c", colon],
  ["https://a b/", host],
  ["https://a%20b/", host],
  ["https://a%41b/", host],
  ["https://a\\b/", host],
  ["https://[::1%25a%80]", host],
  ["https://[::1%25a%2f]", host],
  ["https://a.test:x", port],
  ["https://a.test:80:80", port],
  ["https://::1/", port],
  ["https://[::1]x", port],
  ["https://[::1", "must close the [ in its host"],
  ["https://a[::1]", "must not contain [ inside the host"],
  ["https://[1.2.3.4]", address],
  ["https://[::1%25]", address],
  ["https://[]", address],
  ["https://[fe80::1%en0]", address],
  ["https://[::1::]", address],
  ["https://[1:2:3:4:5:6:7:8::]", address],
  ["https://[::01.2.3.4]", address],
  ["https://[::256.2.3.4]", address],
  ["https://m e@a.test", "must percent-escape special characters in the user name and password"],
])("refuses %j", (text, problem) => {
  expect(urlProblem(text)).toBe(problem);
  expect(findings(urlRule, text)).toEqual([problem]);
});

test("reads everything that a URL object prints, except escaped characters in hosts", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
      expect(urlProblem(text)).toBeUndefined();
    }),
  );
});

test("accepts long strings without stalling", () => {
  const long = "a".repeat(100_000);
  expect(urlProblem(long)).toBeUndefined();
  expect(urlProblem(`${long}:`)).toBeUndefined();
  expect(urlProblem(`https://${long}:x`)).toBe(port);
  expect(urlProblem(`/${"%41".repeat(30_000)}%`)).toBe(escape);
  expect(urlProblem(`https://[${":1".repeat(50_000)}]`)).toBe(address);
});
