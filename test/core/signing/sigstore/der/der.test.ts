import * as fc from "fast-check";
import {
  DerElement,
  type DerErrorCode,
  DerTag,
  fromPem,
  toPem,
  isDerError,
} from "../../../../../src/core/signing/sigstore/der/der-element";
import {
  readBitString,
  readBoolean,
  readInteger,
  readNamedBits,
  readObjectIdentifier,
  readOctetString,
  readText,
  readTime,
} from "../../../../../src/core/signing/sigstore/der/read-value";
import {
  derBitString,
  derBoolean,
  derElement,
  derGeneralizedTime,
  derInteger,
  derNamedBits,
  derObjectIdentifier,
  derOctetString,
  derSequence,
  derSet,
  derTime,
  derUnsigned,
  derUtf8String,
} from "../../../../../src/core/signing/sigstore/der/write-der";

const hex = (text: string) => Buffer.from(text, "hex");

function codeOf(act: () => unknown): DerErrorCode | "no error" {
  try {
    act();
    return "no error";
  } catch (failure) {
    if (isDerError(failure)) return failure.code;
    throw failure;
  }
}

describe("elements", () => {
  it.each([
    ["nothing", "", "TRUNCATED"],
    ["a tag alone", "30", "TRUNCATED"],
    ["a length that lacks octets", "3082", "TRUNCATED"],
    ["content that lacks octets", "30030201", "TRUNCATED"],
    ["octets behind", "300000", "TRAILING_BYTES"],
    ["an indefinite length", "30800000", "NOT_CANONICAL"],
    ["a long form below 128", `04817f${"00".repeat(127)}`, "NOT_CANONICAL"],
    ["a long form with a leading zero", `04820080${"00".repeat(128)}`, "NOT_CANONICAL"],
    ["a length beyond 32 bits", "30850100000000", "UNSUPPORTED"],
    ["a tag number above 30", "1f8100", "UNSUPPORTED"],
  ])("refuses %s", (_, text, code) => {
    expect(codeOf(() => DerElement.read(hex(text)))).toBe(code);
  });

  it("refuses invalid nested elements only when they are read", () => {
    const outer = DerElement.read(hex("3002307f"));
    expect(codeOf(() => outer.children())).toBe("TRUNCATED");
    expect(codeOf(() => DerElement.read(hex("0400")).children())).toBe("UNEXPECTED_TAG");
    expect(codeOf(() => outer.set())).toBe("UNEXPECTED_TAG");
  });

  it("reads back what it wrote, at every length of the length", () => {
    for (const size of [0, 1, 127, 128, 255, 256, 65_535, 65_536]) {
      const content = Buffer.alloc(size, 7);
      const inner = derOctetString(content);
      const [first, second] = DerElement.read(derSequence(inner, derBoolean(true))).sequence();
      expect(first?.bytes.equals(inner)).toBe(true);
      expect(first !== undefined && readOctetString(first).equals(content)).toBe(true);
      expect(second !== undefined && readBoolean(second)).toBe(true);
    }
  });

  it("throws nothing but DerError for any bytes", () => {
    const walk = (element: DerElement): void => {
      if (element.isConstructed) element.children().forEach(walk);
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        codeOf(() => walk(DerElement.read(bytes)));
      }),
    );
  });

  it("sorts a set", () => {
    expect(derSet(derInteger(2), derInteger(1)).toString("hex")).toBe("3106020101020102");
  });
});

describe("values", () => {
  it("writes integers in their shortest form and reads them back", () => {
    expect([0, 127, 128, 256, -1, -128, -129].map((n) => derInteger(n).toString("hex"))).toEqual([
      "020100",
      "02017f",
      "02020080",
      "02020100",
      "0201ff",
      "020180",
      "0202ff7f",
    ]);
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 200n), max: 1n << 200n }), (value) => {
        expect(readInteger(DerElement.read(derInteger(value)))).toBe(value);
      }),
    );
    expect(derUnsigned(hex("00ff")).toString("hex")).toBe("020200ff");
  });

  it("writes object identifiers as RFC 5280 shows them", () => {
    expect(derObjectIdentifier("1.2.840.10045.4.3.2").toString("hex")).toBe("06082a8648ce3d040302");
    expect(derObjectIdentifier("1.3.6.1.4.1.57264.1.8").toString("hex")).toBe(
      "060a2b0601040183bf300108",
    );
    const part = fc.bigInt({ min: 0n, max: 1n << 100n });
    fc.assert(
      fc.property(fc.constantFrom("0.3", "1.39", "2.5", "2.999"), fc.array(part), (head, rest) => {
        const dotted = [head, ...rest].join(".");
        expect(readObjectIdentifier(DerElement.read(derObjectIdentifier(dotted)))).toBe(dotted);
      }),
    );
    for (const wrong of ["", "1", "3.1", "1.40", "1.02", "1.-2"]) {
      expect(codeOf(() => derObjectIdentifier(wrong))).toBe("INVALID_VALUE");
    }
  });

  it("writes times as X.509 does", () => {
    const text = (iso: string) => derTime(new Date(iso)).toString("latin1").slice(2);
    expect(text("2049-12-31T23:59:59Z")).toBe("491231235959Z");
    expect(text("2050-01-01T00:00:00Z")).toBe("20500101000000Z");
    expect(text("1949-12-31T00:00:00Z")).toBe("19491231000000Z");
    for (const iso of ["1950-01-01T00:00:00.000Z", "2026-02-28T12:34:56.000Z"]) {
      expect(readTime(DerElement.read(derTime(new Date(iso)))).toISOString()).toBe(iso);
      expect(readTime(DerElement.read(derGeneralizedTime(new Date(iso)))).toISOString()).toBe(iso);
    }
  });

  it("reads fractions of seconds, and refuses invalid times", () => {
    const read = (tag: number, text: string) =>
      readTime(DerElement.read(derElement(tag, Buffer.from(text)))).toISOString();
    expect(read(DerTag.generalizedTime, "20260228123456.5Z")).toBe("2026-02-28T12:34:56.500Z");
    for (const wrong of [
      "20260231123456Z",
      "20260228123456",
      "20260228123456.0Z",
      "x",
      "20260228253456Z",
      "20260228123456+0100",
    ]) {
      expect(codeOf(() => read(DerTag.generalizedTime, wrong))).toBe("INVALID_VALUE");
    }
    expect(codeOf(() => read(DerTag.utcTime, "260228123456.5Z"))).toBe("INVALID_VALUE");
  });

  it("writes named bits without trailing zeros", () => {
    expect(derNamedBits(0).toString("hex")).toBe("03020780");
    expect(derNamedBits(5, 6).toString("hex")).toBe("03020106");
    expect(derNamedBits(8).toString("hex")).toBe("0303070080");
    expect(derNamedBits().toString("hex")).toBe("030100");
    expect(readNamedBits(DerElement.read(derNamedBits(0, 9)))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it.each([
    ["an empty integer", "0200", readInteger, "INVALID_VALUE"],
    ["an integer with a superfluous zero", "02020001", readInteger, "NOT_CANONICAL"],
    ["an integer with superfluous ones", "0202ff80", readInteger, "NOT_CANONICAL"],
    ["a boolean of another value", "010101", readBoolean, "NOT_CANONICAL"],
    ["a boolean of two octets", "0102ffff", readBoolean, "INVALID_VALUE"],
    ["an object identifier that ends inside a number", "06022a86", readObjectIdentifier],
    ["an empty object identifier", "0600", readObjectIdentifier],
    [
      "an object identifier with a leading zero",
      "06032a8001",
      readObjectIdentifier,
      "NOT_CANONICAL",
    ],
    [
      "an object identifier without end",
      `06162a${"ff".repeat(20)}7f`,
      readObjectIdentifier,
      "UNSUPPORTED",
    ],
    ["octets in several parts", "24050403010203", readOctetString, "UNEXPECTED_TAG"],
    ["a bit string without its first octet", "0300", readBitString],
    ["a bit string of broken octets", "03020780", readBitString],
    ["too many unused bits", "030208ff", readNamedBits],
    ["unused bits that are set", "030207ff", readNamedBits, "NOT_CANONICAL"],
    ["text that is not UTF-8", "0c01ff", readText],
    ["text that is not ASCII", "160180", readText],
    ["another type", "0c0161", readInteger, "UNEXPECTED_TAG"],
    ["an enumerated for an integer", "0a0101", readInteger, "UNEXPECTED_TAG"],
  ])("refuses %s", (_, text, read, code = "INVALID_VALUE") => {
    expect(codeOf(() => read(DerElement.read(hex(text))))).toBe(code);
  });

  it("reads the strings and bits that it wrote", () => {
    expect(readText(DerElement.read(derUtf8String("Grüße")))).toBe("Grüße");
    expect(readBitString(DerElement.read(derBitString(hex("0102")))).toString("hex")).toBe("0102");
  });
});

describe("PEM", () => {
  it("reads the blocks with a label, and what it wrote", () => {
    const one = Buffer.alloc(100, 1);
    const two = Buffer.alloc(48, 2);
    const pem = `subject=x\n${toPem("CERTIFICATE", one)}${toPem("KEY", one)}${toPem("CERTIFICATE", two)}`;
    expect(fromPem("CERTIFICATE", pem)).toEqual([one, two]);
    expect(fromPem("PUBLIC KEY", pem)).toEqual([]);
  });

  it("refuses a block that is not base64", () => {
    const pem = "-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n";
    expect(codeOf(() => fromPem("CERTIFICATE", pem))).toBe("INVALID_VALUE");
  });
});
