import { headerBlock, HpackDecoder } from "../../../../../src/core/provider-kit/wire/http2/hpack";
import { decodeHuffman } from "../../../../../src/core/provider-kit/wire/http2/huffman";

const decoder = () => {
  const hpack = new HpackDecoder();
  return (hex: string) => {
    const block = Buffer.from(hex.replaceAll(" ", ""), "hex");
    return hpack.decode(block, 0, block.length);
  };
};

// RFC 7541, C.3 and C.4.
test.each([
  [
    "plain",
    "828684410f7777772e6578616d706c652e636f6d",
    "828684be58086e6f2d6361636865",
    "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
  ],
  [
    "with Huffman's code",
    "828684418cf1e3c2e5f23a6ba0ab90f4ff",
    "828684be5886a8eb10649cbf",
    "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
  ],
])("reads the requests of the specification, %s", (_name, ...blocks) => {
  const decode = decoder();
  const paths = blocks.map((block) => {
    const headers = decode(block);
    expect(headers.areValid).toBe(true);
    return headers.path;
  });
  expect(paths).toEqual(["/", "/", "/index.html"]);
});

test("reads what headerBlock writes", () => {
  const hpack = new HpackDecoder();
  const block = headerBlock({
    ":method": "POST",
    ":scheme": "http",
    ":path": `/t/${"long".repeat(100)}`,
    "content-type": "application/grpc",
    "grpc-timeout": "5S",
    te: "trailers",
  });
  const headers = hpack.decode(block, 0, block.length);
  expect(headers.areValid).toBe(true);
  expect(headers).toMatchObject({
    method: "POST",
    path: `/t/${"long".repeat(100)}`,
    contentType: "application/grpc",
    timeout: "5S",
  });
});

test("does not take a block for another one after the table has changed", () => {
  const decode = decoder();
  const newest = "8286be";
  expect(decode("828644022f61").path).toBe("/a");
  expect([decode(newest).path, decode(newest).path]).toEqual(["/a", "/a"]);
  expect(decode("828644022f62").path).toBe("/b");
  expect(decode(newest).path).toBe("/b");
});

test.each([
  ["an index beyond the tables", "be"],
  ["the index 0", "80"],
  ["an incomplete string", "0005616263"],
  ["an integer that is too large", "ffffffffffff7f"],
  ["an incomplete integer", "ff"],
  ["a table that is too large", "3fe2ffff7f"],
  ["a table size after a field", "8220"],
  ["padding of more than seven bits", "0083fe3fff0161"],
])("refuses %s", (_name, block) => {
  expect(() => decoder()(block)).toThrow(
    expect.objectContaining({ code: "COMPRESSION_ERROR" }) as Error,
  );
});

test.each([
  ["a name in capitals", "828684000141 0162"],
  ["a field of a connection", `828684${headerBlock({ connection: "close" }).toString("hex")}`],
  ["a pseudo-header after a field", "8286400161016284"],
  ["two paths", "82868484"],
  ["no method", "8684"],
])("finds %s malformed", (_name, block) => {
  expect(decoder()(block).areValid).toBe(false);
});

test("reads strings with long codes", () => {
  // RFC 7541, C.6.3, and the codes of \n and ~.
  const coded = Buffer.from(
    "94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
    "hex",
  );
  expect(decodeHuffman(coded, 0, coded.length)).toBe(
    "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
  );
  const long = Buffer.from("fffffff3ffbf", "hex");
  expect(decodeHuffman(long, 0, long.length)).toBe("\n~");
});
