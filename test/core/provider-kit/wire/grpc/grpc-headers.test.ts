import {
  decodeStatusMessage,
  parseTimeout,
  statusName,
  statusTrailers,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-headers";

test.each([
  ["1H", 3_600_000],
  ["2M", 120_000],
  ["3S", 3000],
  ["250m", 250],
  ["1u", 1],
  ["99999999n", 100],
  ["99999999H", 2 ** 31 - 1],
  ["123456789S", undefined],
  ["5", undefined],
  ["-1S", undefined],
  ["", undefined],
])("reads the timeout %p as %p", (header, expected) => {
  expect(parseTimeout(header)).toBe(expected);
});

test("encodes a status message as printable ASCII", () => {
  const text = "50 % of Zürich\nis 🐟 \ud800";
  const encoded = statusTrailers("INTERNAL", text)["grpc-message"];
  expect(encoded).toMatch(/^[ -~]*$/);
  expect(encoded).toContain("50 %25 of Z%C3%BCrich%0A");
  expect(decodeStatusMessage(encoded)).toBe("50 % of Zürich\nis 🐟 \ufffd");
});

test("keeps a percent sign that encodes nothing", () => {
  expect(decodeStatusMessage("100% and %FF")).toBe("100% and %FF");
});

test("returns the name of a status code, and UNKNOWN for an undefined one", () => {
  expect(statusName("12")).toBe("UNIMPLEMENTED");
  expect(statusName("99")).toBe("UNKNOWN");
  expect(statusName(undefined)).toBe("UNKNOWN");
});
