import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providerRoutes } from "@trivet/provider-kit";
import { testAcceptance } from "@trivet/provider-kit/testing";
import { note } from "../src/declaration";
import { NoteFiles } from "../src/note-files";
import { definition } from "../src/provider";
import { source } from "../src/source";

/** The provider runs in this process, and the real Terraform uses it. */
const provider = { source, routes: providerRoutes(definition) };
const address = "{{name}}_note.milk";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "notes-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const config = (text: string, name = "milk", below = folder): string => `
  provider "{{name}}" {
    folder = ${JSON.stringify(below)}
  }
  resource "{{name}}_note" "milk" {
    name = ${JSON.stringify(name)}
    text = ${JSON.stringify(text)}
  }`;

const file = (name: string): string => join(folder, `${name}.txt`);

test("a note is written, changed, renamed, imported and removed", async () => {
  await testAcceptance({
    ...provider,
    steps: [
      {
        config: config("We need milk."),
        actions: { [address]: "create" },
        check: async ({ resource }) => {
          expect(resource(note, address)).toMatchObject({ path: file("milk"), size: 13 });
          expect(await readFile(file("milk"), "utf8")).toBe("We need milk.");
        },
      },
      { config: config("We need tea."), actions: { [address]: "update" } },
      { import: address, id: "milk" },
      {
        config: config("We need tea.", "tea"),
        actions: { [address]: "replace" },
        // No old note, and no temporary file.
        check: async () => {
          expect(await readdir(folder)).toEqual(["tea.txt"]);
        },
      },
    ],
    checkDestroyed: async () => {
      expect(await readdir(folder)).toEqual([]);
    },
  });
});

test("the data source lists the notes, and no other files", async () => {
  await writeFile(file("milk"), "");
  await writeFile(file("Not A Note"), "");
  await writeFile(join(folder, "readme.md"), "");
  const reading = `
    data "{{name}}_notes" "all" {
      depends_on = [{{name}}_note.milk]
    }
    output "names" { value = data.{{name}}_notes.all.names }`;
  await testAcceptance({
    ...provider,
    steps: [
      {
        config: config("We need tea.", "tea") + reading,
        outputs: { names: ["milk", "tea"] },
      },
    ],
  });
});

test("what others have done to a note is found and corrected", async () => {
  await testAcceptance({
    ...provider,
    steps: [
      { config: config("We need milk.") },
      {
        name: "somebody has changed it",
        before: () => writeFile(file("milk"), "?"),
        actions: { [address]: "update" },
        state: { [address]: { text: "We need milk." } },
      },
      {
        name: "somebody has removed it",
        before: () => rm(file("milk")),
        actions: { [address]: "create" },
        state: { [address]: { text: "We need milk." } },
      },
    ],
  });
});

test("files of others are neither replaced nor read", async () => {
  const secret = join(folder, "secret");
  await writeFile(secret, "secret");
  await writeFile(file("taken"), "mine");
  await symlink(secret, file("link"));
  await testAcceptance({
    ...provider,
    steps: [
      { config: config("?", "taken"), expectError: "Note Already Exists" },
      { config: config("?", "../secret"), expectError: "must be 1 to 63 lowercase letters" },
      { config: config("We need milk.") },
      { import: address, id: "../secret", expectError: "Invalid Import ID" },
      { import: address, id: "link", expectError: "it is a symbolic link" },
    ],
  });
  expect(await readFile(file("taken"), "utf8")).toBe("mine");
  // As from a state that was edited manually.
  expect(() => new NoteFiles(folder).pathOf("../secret")).toThrow("Invalid Name Of A Note");
});

test("a missing folder is an error, not a missing note", async () => {
  const missing = join(folder, "missing");
  await testAcceptance({
    ...provider,
    steps: [
      {
        config: config("?", "milk", missing),
        expectError: "Folder Of The Notes Does Not Exist",
      },
      { config: config("We need milk.") },
      { config: config("We need milk.", "milk", missing), expectError: "There is no folder" },
      { config: config("We need milk.") },
    ],
  });
});
