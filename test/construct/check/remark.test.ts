import {
  acknowledgedText,
  readRemark,
  staleText,
  withCode,
} from "../../../src/construct/check/remark";

const acknowledged = { path: 'Demo/a"b', reason: 'said "no" (twice)\nat [x-y]: \\' };

test.each([
  [withCode("is odd", "saw-odd"), { message: "is odd", code: "saw-odd" }],
  [
    acknowledgedText("is odd [saw-odd]\nin two lines", "saw-odd", acknowledged),
    { message: "is odd [saw-odd]\nin two lines", code: "saw-odd", acknowledged },
  ],
  [
    staleText("saw-odd", acknowledged),
    {
      message: expect.stringContaining("matches no warning") as string,
      code: "saw-odd",
      stale: acknowledged,
    },
  ],
])("the text of an annotation is read as it was written: %j", (text, remark) => {
  expect(readRemark(text)).toEqual(remark);
});

test.each([
  "",
  "is odd",
  "is odd [beta]",
  "is odd [Saw-Odd]",
  "is odd [saw-odd].",
  'is odd [saw-odd] (acknowledged at "a": b)',
])("the text of another library stays as it is: %j", (message) => {
  expect(readRemark(message)).toEqual({ message });
});
