import { comparedWithTerraform } from "./compared";

const ranges = [
  "10.0.0.0/8",
  "10.12.112.0/20",
  "192.168.1.77/24",
  "10.0.0.0/32",
  "0.0.0.0/0",
  "255.255.255.0/24",
  "fd00:fd12:3456:7890:00a2::/72",
  "2001:db8::/32",
  "::/0",
  "1:0:0:2::/64",
  "fe80::1.2.3.4/120",
];
const wrong = [
  "10.0.0.0",
  "10.0.0/8",
  "256.0.0.0/8",
  "10.0.0.0/33",
  "a/8",
  "",
  "1::2::3/64",
  ":::/64",
  "010.001.0.0/16",
  "10.0.0.0/-1",
  "1:2:3/64",
  "10.0.0.0/08",
  "12345::/16",
  "10.0.0.0/",
  " 10.0.0.0/8",
];

test("networks", () => {
  const all = [ranges, wrong].flat();
  const open = comparedWithTerraform({
    cidrnetmask: all.map((range) => [range]),
    cidrhost: all.flatMap((range) =>
      [0, 1, -1, 16, 268, -300, 65536, 1.5, "5"].map((number) => [range, number]),
    ),
    cidrsubnet: all.flatMap((range) =>
      [
        [4, 2],
        [8, 255],
        [8, 256],
        [0, 0],
        [16, 162],
        [32, 1],
        [30, 0],
        [60, 7],
        [1.5, 0],
      ].map(([bits = 0, number = 0]) => [range, bits, number]),
    ),
    cidrsubnets: all.flatMap((range) =>
      [[], [4, 4, 8, 4], [1, 1], [1, 1, 1], [8, 1, 8], [0], [33], [-1], [16, 16, 32], [24]].map(
        (bits) => [range, bits].flat(),
      ),
    ),
  });
  expect(open).toEqual([]);
});
