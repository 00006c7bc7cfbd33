import { faultsOfOptions, parseFaultOption } from "../../../src/local/ids/command";
import { start, parent } from "./start";

test.each([
  ["POST:503:2", { method: "POST", status: 503, count: 2 }],
  ["GET:429", { method: "GET", status: 429, count: Infinity }],
])("%s is a fault", (text, fault) => {
  expect(parseFaultOption(text)).toEqual(fault);
});

test.each(["", "POST", "POST:200", "POST:503:0", "PUT:503", "post:503", "POST:503:2:3"])(
  "%j is none",
  (text) => {
    expect(parseFaultOption(text)).toBeUndefined();
  },
);

test("each request counts for one fault", async () => {
  const options = ["GET:503:1", "GET:429:1", "POST:500"].flatMap((each) => {
    const fault = parseFaultOption(each);
    return fault === undefined ? [] : [fault];
  });
  const { call, create } = await start({ failWith: faultsOfOptions(options) });
  const statuses = [];
  for (let number = 0; number < 3; number++) statuses.push((await call("GET", parent)).status);
  expect(statuses).toEqual([503, 429, 200]);
  expect([(await create("a")).status, (await create("a")).status]).toEqual([500, 500]);
});
