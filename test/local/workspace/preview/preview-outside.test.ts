import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Testing } from "cdktf";
import * as fc from "fast-check";
import { workspace } from "../../../../src";
import { isObject } from "../../../../src/core/json/plain-json";
import { LocalPlatform } from "../../../../src/local/workspace/local-platform";
import { WorkspaceTemplateStack } from "../../../../stacks/workspace-template-stack";
import { declared } from "../../../core/workspace/template/property/construct-side";
import { type Part, validTemplate } from "../../../core/workspace/template/property/template";
import { onPath } from "../../../on-path";
import { temporaryFolder } from "../temporary-folder";
import { cases, type PreviewCase } from "./cases";
import { coderComparable, type Comparable, oursComparable } from "./comparable";

/**
 * coder's own library, in a program that reads a request a line and prints its preview as JSON. The file has
 * what it once said; `TRIVET_RECORD=1` writes it again.
 */
const recorded = join(__dirname, "coder-previews.json");
const program = onPath("preview-judge");
const isRecording = process.env["TRIVET_RECORD"] === "1" && program !== undefined;

interface Recorded {
  readonly provenance: string;
  readonly previews: Readonly<Record<string, Comparable>>;
}

const provenance =
  "What github.com/coder/preview 1.0.4 says about the templates of preview-outside.test.ts, with the checks of " +
  "presets of later versions, written by it with TRIVET_RECORD=1.";

const owner = {
  id: "11111111-2222-4333-8444-555555555555",
  name: "ada",
  email: "ada@example.com",
  groups: ["Everyone"],
};

interface Request {
  readonly folder: string;
  readonly values: Readonly<Record<string, string>>;
  readonly groups: readonly string[];
}

/** What coder's library says about all folders, in one process. */
function judged(requests: readonly Request[]): readonly Comparable[] {
  const input = requests.map(({ folder, values, groups }) =>
    JSON.stringify({
      folder,
      values,
      owner: {
        ...owner,
        groups,
        full_name: "Ada",
        login_type: "password",
        ssh_public_key: "key",
        rbac_roles: [{ name: "member", org_id: "" }],
      },
    }),
  );
  const limits = { input: input.join("\n"), maxBuffer: 2 ** 28 };
  const lines = execFileSync("preview-judge", limits).toString().trim().split("\n");
  return lines.map((line) => {
    const answer: unknown = JSON.parse(line);
    return coderComparable(isObject(answer) ? answer : {});
  });
}

async function ours({ folder, values, groups }: Request): Promise<Comparable> {
  const base = temporaryFolder();
  const platform = new LocalPlatform({
    template: folder,
    stateFolder: join(base, "state"),
    typePrefix: "coder_",
    env: { PATH: process.env["PATH"], HOME: base, TF_CLI_CONFIG_FILE: "/dev/null" },
  });
  const preview = await platform.preview({
    parameters: values,
    triesPresets: true,
    owner: {
      ...owner,
      groups,
      fullName: "Ada",
      loginType: "password",
      sshPublicKey: "key",
      rbacRoles: [{ name: "member", org_id: "" }],
    },
  });
  return oursComparable(preview);
}

function folderOf({ files }: PreviewCase): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const hcl = join(__dirname, "..", "..", "..", "e2e", "workspace-templates");

/** The templates of this repository, in coder's words. */
const templates: readonly PreviewCase[] = [
  ...readdirSync(hcl)
    .filter((name) => name.endsWith(".tf"))
    .map((name) => {
      const text = readFileSync(join(hcl, name), "utf8");
      const asCoder = text.replaceAll(/\bworkspace_(?=[a-z_]+["._])/g, "coder_");
      return { name: `the template ${name}`, files: { "main.tf": asCoder } };
    }),
  { name: "the demo stack", files: demoStack() },
  {
    name: "the demo stack with other values",
    files: demoStack(),
    values: { region: "mars", cores: "1" },
  },
];

function demoStack(): Readonly<Record<string, string>> {
  const product = workspace.products.coder;
  return synthesizedFiles(new WorkspaceTemplateStack(Testing.app(), "demo", { product }));
}

function synthesizedFiles(stack: Parameters<typeof Testing.fullSynth>[0]) {
  const out = Testing.fullSynth(stack);
  const folder = join(out, "stacks", stack.node.id);
  try {
    const names = readdirSync(folder).filter((name) => /\.tf(?:\.json)?$/.test(name));
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
  } finally {
    rmSync(out, { recursive: true });
  }
}

describe("a preview", () => {
  const all = [...templates, ...cases];
  let expected: Readonly<Record<string, Comparable>>;
  const found = new Map<string, Comparable>();

  beforeAll(async () => {
    const waiting = [...all];
    const work = async (): Promise<void> => {
      for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
        found.set(each.name, await ours(requestOf(each)));
      }
    };
    await Promise.all([work(), work(), work(), work()]);
  });

  beforeAll(() => {
    if (program !== undefined) {
      const answers = judged(all.map(requestOf));
      expected = Object.fromEntries(all.map(({ name }, at) => [name, answers[at] ?? never()]));
      const text = JSON.stringify({ provenance, previews: expected }, undefined, 1);
      if (isRecording) writeFileSync(recorded, `${text}\n`);
      return;
    }
    expected = (JSON.parse(readFileSync(recorded, "utf8")) as Recorded).previews;
  });

  it.each(all.filter(({ differs }) => differs === undefined))(
    "is the same as the platform's: $name",
    ({ name }) => {
      expect(found.get(name)).toEqual(expected[name]);
    },
  );

  it.each(all.filter(({ differs }) => differs !== undefined))(
    "differs from the platform's: $name: $differs",
    ({ name }) => {
      expect(found.get(name)).not.toEqual(expected[name]);
    },
  );

  it("was recorded as it is now", () => {
    const { previews } = JSON.parse(readFileSync(recorded, "utf8")) as Recorded;
    // JSON has no undefined.
    expect(JSON.parse(JSON.stringify(expected))).toEqual(previews);
  });
});

function requestOf(each: PreviewCase): Request {
  return { folder: folderOf(each), values: each.values ?? {}, groups: each.groups ?? ["Everyone"] };
}

function never(): never {
  throw new Error("preview-judge did not answer every request");
}

(program === undefined ? describe.skip : describe)("a preview of random templates", () => {
  const perStack = 25;

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("is the same as the platform's, seed %i", async (seed) => {
    const made = fc.sample(validTemplate({ open: false }), { seed, numRuns: perStack });
    const parts = made.flatMap((template, at) => template.parts.flatMap((part) => named(part, at)));
    const { stack, errors } = declared({ settings: {}, parts }, () => () => "");
    expect([...errors]).toEqual([]);
    const files = Object.fromEntries(
      Object.entries(synthesizedFiles(stack)).map(([name, text]) => [name, inCoder(text)]),
    );
    const folder = join(temporaryFolder(), "template");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const request = { folder, values: valuesFor(parts, seed), groups: ["Everyone"] };
    const [expected] = judged([request]);
    expect(expected?.parameters.length).toBeGreaterThan(perStack / 2);
    expect(await ours(request)).toEqual(expected);
  });
});

/** What the platform evaluates, under names that no other template has. */
function named(part: Part, at: number): readonly Part[] {
  const { type, args, id } = part;
  const isPreviewed = ["parameter", "workspace_preset", "workspace_tags"].some(
    (noun) => type === `workspace_${noun}`,
  );
  if (!isPreviewed) return [];
  const own = (name: unknown): string => `${at} ${String(name)}`;
  const { parameters, name } = args;
  const values = isObject(parameters) ? Object.entries(parameters) : [];
  return [
    {
      ...part,
      id: `t${at}${id}`,
      args: {
        ...withoutLongBounds(args),
        ...(name === undefined ? {} : { name: own(name) }),
        ...(args["default"] === true && type !== "workspace_parameter"
          ? { default: at === 0 }
          : {}),
        ...(parameters === undefined
          ? {}
          : { parameters: Object.fromEntries(values.map(([key, value]) => [own(key), value])) }),
      },
    },
  ];
}

/** A bound beyond what JSON can write is a string of digits, which the platform's preview ignores. */
function withoutLongBounds(args: Part["args"]): Part["args"] {
  const { validation } = args;
  if (!isObject(validation)) return args;
  const bounds = Object.entries(validation).filter(([, value]) => typeof value !== "bigint");
  return { ...args, validation: Object.fromEntries(bounds) };
}

/** Values for some parameters, which others refuse. */
function valuesFor(parts: readonly Part[], seed: number): Readonly<Record<string, string>> {
  const given = parts.filter(({ type }) => type === "workspace_parameter");
  const others = ["", "x", "7", "true", "[]", '["a"]', "-1.5", "1e3"];
  return Object.fromEntries(
    given.flatMap(({ args, accepts = [] }, at) => {
      const name = String(args["name"]);
      const kind = (at + seed) % 4;
      if (kind < 2) return [];
      const from = kind === 2 && accepts.length > 0 ? accepts : others;
      return [[name, from[(at * seed) % from.length] ?? ""] as const];
    }),
  );
}

const inCoder = (text: string): string =>
  text.replaceAll(/"workspace_(?=[a-z_]+")|(?<=data\.)workspace_/g, (found) =>
    found.startsWith('"') ? '"coder_' : "coder_",
  );
