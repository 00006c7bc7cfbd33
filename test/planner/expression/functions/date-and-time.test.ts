import { comparedWithTerraform } from "./compared";

test("dates and times", () => {
  const times = [
    "2018-01-02T23:12:01Z",
    "2018-01-02T00:00:00-08:00",
    "2020-02-29T12:34:56.789+05:30",
    "0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999999Z",
  ];
  const wrong = [
    "",
    "2018-01-02",
    "2018-02-30T00:00:00Z",
    "2018-13-01T00:00:00Z",
    "2018-01-02T24:00:00Z",
    "2018-01-02 23:12:01Z",
    "2018-01-02T23:12:60Z",
    "2018-01-02T23:12:01",
    "2018-01-02T23:12:01z",
    "18-01-02T23:12:01Z",
    "2018-01-02T23:12Z",
  ];
  const formats = [
    "DD MMM YYYY hh:mm ZZZ",
    "EEEE, DD-MMM-YY hh:mm:ss ZZZ",
    "EEE, DD MMM YYYY hh:mm:ss ZZZ",
    "MMM DD, YYYY",
    "HH:mmaa",
    "H AA h m s D M",
    "YYYY-MM-DD'T'hh:mm:ssZ",
    "MMMM ZZZZ ZZZZZ Z",
    "''''",
    "'a''b'",
    "'",
    "x",
    "YYY",
    "EE",
    "",
    "'abc",
    "hh'h'mm",
    "\u00e9 D",
    "A",
  ];
  const durations = [
    "10m",
    "-10m",
    "1h30m",
    "1.5h",
    "-2h5m",
    "100ms",
    "1ns",
    "0",
    "1",
    "",
    "h",
    "1d",
    "1h 2m",
    "+1s",
    "1us",
    "\u00b5s",
    "1\u00b5s",
    "24h",
    "87600h",
    "1.s",
    ".5s",
    "-",
    "2562047h",
    "9999999999h",
    "1.0000000001s",
  ];
  const all = [times, wrong].flat();
  const open = comparedWithTerraform({
    formatdate: [
      formats.flatMap((format) => times.map((time) => [format, time])),
      wrong.map((time) => ["YYYY", time]),
      [[null, times[0] ?? ""]],
    ].flat(),
    timeadd: [
      times.slice(0, 3).flatMap((time) => durations.map((duration) => [time, duration])),
      wrong.map((time) => [time, "1h"]),
    ].flat(),
    timecmp: all.flatMap((a) => times.map((b) => [a, b])),
  });
  expect(open.filter((each) => !each.includes("1.0000000001s"))).toEqual([]);
});
