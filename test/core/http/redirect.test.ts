import { networkZone } from "../../../src/core/http/network-zone";
import { redirectProblem } from "../../../src/core/http/redirect";

test.each([
  ["http://127.9.9.9", "loopback"],
  ["http://2130706433", "loopback"],
  ["http://0x7f.1", "loopback"],
  ["http://0.0.0.0", "loopback"],
  ["http://[::1]", "loopback"],
  ["http://[::]", "loopback"],
  ["http://[::ffff:127.0.0.1]", "loopback"],
  ["http://LOCALHOST", "loopback"],
  ["http://a.localhost", "loopback"],
  ["http://169.254.169.254", "link-local"],
  ["http://[::ffff:169.254.169.254]", "link-local"],
  ["http://[fe80::1]", "link-local"],
  ["http://metadata.google.internal", "link-local"],
  ["http://10.1.2.3", "private"],
  ["http://172.31.0.1", "private"],
  ["http://192.168.0.1", "private"],
  ["http://[fd00::1]", "private"],
  ["http://172.32.0.1", "public"],
  ["http://8.8.8.8", "public"],
  ["http://[2001:db8::1]", "public"],
  ["http://registry.example", "public"],
])("%s is %s", (url, zone) => {
  expect(networkZone(new URL(url).hostname)).toBe(zone);
});

test.each([
  ["https://a.example", "https://b.example", true],
  ["https://a.example", "http://b.example", false],
  ["http://127.0.0.1:1", "http://127.0.0.1:2", true],
  ["http://127.0.0.1:1", "http://localhost:2", true],
  ["https://a.example", "https://127.0.0.1", false],
  ["https://a.example", "https://169.254.169.254", false],
  ["https://a.example", "https://10.0.0.1", true],
  ["https://a.example", "data:text/plain,x", false],
])("a server at %s may redirect to %s: %s", (from, to, allowed) => {
  expect(redirectProblem(new URL(from), new URL(to)) === undefined).toBe(allowed);
});
