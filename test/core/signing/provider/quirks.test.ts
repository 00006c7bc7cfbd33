import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { isQuirk, quirks, type QuirkName } from "../../../../src/local/signing/registry/quirks";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { sign } from "../../../../src/core/signing/sign/declare";
import type { Declaration } from "../../../../src/core/schema";
import { root } from "../../../docs/page";
import type { Values } from "../../provider-kit/plan/planning";
import { startFront } from "../oci/registry/front";
import { openClient, openRegistry, pushImage } from "../oci/registry/registries";
import { attachedTo } from "../sign/attached";
import { openBench } from "../sign/signing-bench";
import { nameOf, treeOf } from "../tree/trees";
import { apply, connect, keyless, policyText, verifyImage } from "./signing";

const page = readFileSync(join(root, "docs/guide/registries.md"), "utf8");

/** The rows of the table whose header begins with these cells. */
function rowsOf(...header: readonly string[]): readonly (readonly string[])[] {
  const cellsOf = (line: string) => line.split(/ *\| */).slice(1, -1);
  const lines = page.split("\n");
  const start = lines.findIndex((line) => header.every((cell, at) => cellsOf(line)[at] === cell));
  const table = lines.slice(start + 2);
  return table
    .slice(
      0,
      table.findIndex((line) => !line.startsWith("|")),
    )
    .map(cellsOf);
}

const unquoted = (cell: string): string => cell.replaceAll("`", "");

/** `yes`; `warns`, if it works with a warning; `no`, if it fails. */
type Outcome = "yes" | "warns" | "no";
type Format = "legacy" | "bundle";

/** A registry with quirks, and what was said in it. */
async function open(names: readonly QuirkName[]) {
  const bench = await openBench({ quirks: names });
  const provider = await connect(bench.local);
  const said: string[] = [];
  let outcome: Outcome = "yes";
  const note = (
    diagnostics: readonly { readonly severity: unknown; readonly detail: string }[],
  ) => {
    for (const { severity, detail } of diagnostics) {
      said.push(detail);
      if (severity === "ERROR") outcome = "no";
      else if (outcome === "yes") outcome = "warns";
    }
  };
  const runs = async (declaration: Declaration, config: Values) =>
    note((await apply(provider, declaration, config)).diagnostics);
  const verifies = async (image: DigestReference, signatureFormat: Format, more: object = {}) => {
    const authorities = [keyless(bench.local, { signatureFormat, ...more })];
    const policy = policyText(bench.local, { authorities });
    note((await verifyImage(provider, nameOf(image), policy)).diagnostics);
  };
  return {
    bench,
    said,
    runs,
    verifies,
    /** What came of some work. */
    outcomeOf: async (work: () => Promise<void>): Promise<Outcome> => {
      outcome = "yes";
      await work();
      return outcome;
    },
    /** An image that nobody has signed. */
    fresh: async (text: string) => {
      const image = await bench.pushImage(text);
      return { image, config: { image: nameOf(image) } };
    },
  };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function signs({ fresh, runs, verifies }: Opened, signatureFormat: Format): Promise<void> {
  const { image, config } = await fresh(`signed as ${signatureFormat}`);
  await runs(sign, { ...config, signatureFormat });
  await verifies(image, signatureFormat);
}

/** Signs twice without the state: the second time must find what is there. */
async function isSignedOnce({ bench, fresh, runs }: Opened, signatureFormat: string) {
  const { config } = await fresh("signed again");
  await runs(sign, { ...config, signatureFormat, conflict: "SKIPSAME" });
  const logged = await bench.logSize();
  await runs(sign, { ...config, signatureFormat, conflict: "SKIPSAME" });
  expect(await bench.logSize()).toBe(logged);
}

const predicates = [{ type: "custom", json: '{"tested":true}' }];
const attestations = [{ name: "tested", predicateType: "custom" }];

/** What each command does, in the order of the columns. */
async function row(opened: Opened, formats: readonly Format[]): Promise<readonly Outcome[]> {
  const { bench, fresh, runs, verifies, outcomeOf } = opened;
  const signatureFormat = formats.length === 1 ? "legacy" : "both";
  const { image: signed, config } = await fresh("signed");
  const verifiesAll = async (image: DigestReference) => {
    for (const format of formats) await verifies(image, format);
  };
  return [
    await outcomeOf(() => signs(opened, "legacy")),
    await outcomeOf(() => signs(opened, "bundle")),
    await outcomeOf(async () => {
      const { image, config: attested } = await fresh("attested");
      await runs(attest, { ...attested, predicates, signatureFormat: "bundle" });
      await verifies(image, "bundle", { attestations });
    }),
    await outcomeOf(() => isSignedOnce(opened, signatureFormat)),
    await outcomeOf(async () => {
      const { image, config: replaced } = await fresh("replaced");
      for (const conflict of ["REPLACE", "REPLACE"]) {
        await runs(sign, { ...replaced, signatureFormat, conflict });
      }
      await verifiesAll(image);
      expect((await attachedTo(bench, image).signatures()).length).toBe(1);
      if (formats.includes("bundle")) {
        expect((await attachedTo(bench, image).bundles("signature")).length).toBe(1);
      }
    }),
    await treeOutcome(),
    await outcomeOf(async () => {
      const registry = await openRegistry("ours");
      await runs(copy, { ...source(signed), destination: `${registry}/copied` });
      await verifiesAll({ registry, path: "copied", digest: signed.digest });
    }),
    await outcomeOf(async () => {
      const near = { registry: await openRegistry("ours"), path: "near" };
      const { digest } = await pushImage(openClient(), near, "near");
      await runs(sign, { image: nameOf({ ...near, digest }), signatureFormat: "both" });
      const there = { registry: bench.local.registryHost, path: "there" };
      const destination = `${there.registry}/there`;
      await runs(copy, { ...source({ ...near, digest }), destination });
      for (const format of ["legacy", "bundle"] as const) {
        await verifies({ ...there, digest }, format);
      }
    }),
  ];

  async function treeOutcome(): Promise<Outcome> {
    await runs(sign, { ...config, signatureFormat });
    const { attached, notes } = await treeOf(bench, signed);
    const found = attached.filter(({ kind }) => kind === "signature");
    const checks = found.map((each) => ("check" in each ? each.check.result : "unchecked"));
    opened.said.push(...notes);
    if (checks.join() !== formats.map(() => "verified").join()) return "no";
    return notes.length === 0 ? "yes" : "warns";
  }
}

const services = rowsOf("Registry", "Lists referrers");

test.each(services)(
  "%s (%s) with the quirks %s stores legacy: %s, bundle: %s",
  async (...cells) => {
    const [, , names = "", legacy, bundle] = cells;
    const opened = await open(unquoted(names).split(", ").filter(isQuirk));
    const outcomes: Outcome[] = [];
    for (const format of ["legacy", "bundle"] as const) {
      outcomes.push(
        await opened.outcomeOf(async () => {
          await signs(opened, format);
          await isSignedOnce(opened, format);
        }),
      );
    }
    expect(outcomes).toEqual([legacy, bundle]);
  },
);

describe("why it does not work is said, and nothing is logged that cannot be used", () => {
  test.each([
    ["sign", "bundle", sign, {}],
    ["sign", "both", sign, {}],
    ["attest", "bundle", attest, { predicates }],
    ["attest", "both", attest, { predicates }],
  ] as const)("%s as %s where tags are read as digests", async (_, format, declaration, more) => {
    const { bench, fresh, runs, said } = await open(["digest-tags"]);
    const { image, config } = await fresh("refused");
    const index = await bench.pushIndex(image);
    for (const each of [image, index]) {
      said.splice(0);
      await runs(declaration, { ...config, image: nameOf(each), signatureFormat: format, ...more });
      expect(said.join()).toMatch(
        /has no list of referrers, and answers the tag sha256-[\da-f]{64} with the image itself, .* use the format "legacy" there/,
      );
    }
    expect(await bench.logSize()).toBe(0);
  });

  test("a second signature where tags are immutable", async () => {
    const { fresh, runs, said } = await open(["immutable-tags"]);
    const { config } = await fresh("signed");
    for (const conflict of ["APPEND", "APPEND"]) await runs(sign, { ...config, conflict });
    expect(said.join()).toMatch(
      /412: "PRECONDITION: the tag sha256-\S+\.sig is immutable"; if a rule of the registry makes tags immutable, exclude \S+:sha256-\S+\.sig from it/,
    );
  });

  test("a copy of bundles to where tags are read as digests", async () => {
    const { bench, fresh, runs, said } = await open([]);
    const { image, config } = await fresh("copied");
    await runs(sign, { ...config, signatureFormat: "bundle" });
    const registry = await openRegistry("ours", { quirks: ["digest-tags"] });
    await runs(copy, { ...source(image), destination: `${registry}/there` });
    expect(said.join()).toContain(`the registry ${registry} has no list of referrers`);
    expect(await bench.logSize()).toBe(1);
  });

  test("referrers that were not read", async () => {
    const { fresh, runs, verifies, said } = await open(["endless-referrers"]);
    const { image, config } = await fresh("signed");
    await runs(sign, { ...config, signatureFormat: "bundle" });
    await verifies(image, "bundle");
    expect(said.join()).toMatch(/has at least 51 referrers/);
  });
});

test.each(["huge-sizes", "endless-referrers", "referrer-cycle"] as const)(
  "a hostile registry (%s) gets a limited number of requests",
  async (quirk) => {
    const { bench, fresh, runs, verifies } = await open([quirk]);
    const { image, config } = await fresh("signed");
    await runs(sign, { ...config, signatureFormat: "both" });
    const front = await startFront(bench.local.addresses.registry, () => undefined);
    for (const format of ["legacy", "bundle"] as const) {
      const before = front.requests.length;
      await verifies({ ...image, registry: front.host }, format);
      // At most 50 pages are read, and each entry of them once.
      expect(front.requests.length - before).toBeLessThan(120);
    }
  },
);

const source = (image: DigestReference): Values => ({ source: nameOf(image) });

test("the guide lists every quirk as the registry has it", () => {
  const rows = Object.entries(quirks).map(([name, { does, seen }]) => [`\`${name}\``, does, seen]);
  expect(rowsOf("Quirk", "The registry")).toEqual(rows);
});

const commands = rowsOf("Quirk", "sign `legacy`");

test("the guide has a row for every quirk", () => {
  expect(commands.map(([name = ""]) => unquoted(name))).toEqual(Object.keys(quirks));
});

describe.each(commands)("a registry with the quirk %s", (name, ...expected) => {
  test("does what the guide says, for every command", async () => {
    const formats: readonly Format[] = expected[1] === "no" ? ["legacy"] : ["legacy", "bundle"];
    const opened = await open([unquoted(name)].filter(isQuirk));
    const outcomes = await row(opened, formats);
    const isQuiet = expected.every((outcome) => outcome === "yes");
    expect({ outcomes, said: isQuiet ? opened.said : [] }).toEqual({
      outcomes: expected,
      said: [],
    });
  });
});
