import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { failures, isEnd, isFailure, within } from "../../../src/core/failure/failure";

const [mailFailure, isMailFailure] = failures<"LOST" | "CANCELLED">("MailFailure");
const [doorFailure] = failures<"LOST">("DoorFailure");

test("a failure has a code, a message, advice, a place and a cause", () => {
  const cause = new Error("rain");
  const failure = mailFailure("LOST", "the letter is lost", {
    advice: "Write again.",
    at: 3,
    cause,
  });
  expect(failure).toMatchObject({
    name: "MailFailure",
    code: "LOST",
    advice: "Write again.",
    at: 3,
  });
  expect(failure.cause).toBe(cause);
  expect(String(failure)).toBe("MailFailure: the letter is lost");
  expect("cause" in mailFailure("LOST", "the letter is lost")).toBe(false);
});

test("a room recognises only its own failures, and single codes of them", () => {
  const lost = mailFailure("LOST", "gone");
  expect(isMailFailure(lost)).toBe(true);
  expect(isMailFailure(lost, "LOST")).toBe(true);
  expect(isMailFailure(lost, "CANCELLED")).toBe(false);
  expect(isMailFailure(doorFailure("LOST", "gone"))).toBe(false);
  expect(
    isMailFailure(Object.assign(new Error("gone"), { name: "MailFailure", code: "LOST" })),
  ).toBe(false);
  expect(isFailure(lost)).toBe(true);
  expect(isFailure(new Error("gone"))).toBe(false);
});

test("a failure with more words stays what it is", () => {
  const cause = new Error("rain");
  const said = within(mailFailure("LOST", "lost", { advice: "Write again.", cause }), "post: lost");
  expect(said).toMatchObject({ message: "post: lost", code: "LOST", advice: "Write again." });
  expect(said.cause).toBe(cause);
  expect(isMailFailure(said)).toBe(true);
});

test("the end of a call is recognised, whoever reports it", () => {
  expect(isEnd(mailFailure("CANCELLED", "over"))).toBe(true);
  expect(isEnd(mailFailure("LOST", "gone"))).toBe(false);
  expect(isEnd(Object.assign(new Error("over"), { code: "CANCELLED" }))).toBe(false);
});

const root = join(__dirname, "../../../src");
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(root, name), "utf8"));
const found = (form: RegExp): readonly string[] =>
  sources.flatMap((text) => Array.from(text.matchAll(form), ([, name = ""]) => name)).sort();

test("two rooms never give their failures the same name", () => {
  const names = found(/\bfailures<[^]*?>\(\s*"(\w+)"/g);
  expect(names.length).toBeGreaterThan(10);
  expect(names).toEqual([...new Set(names)]);
});
