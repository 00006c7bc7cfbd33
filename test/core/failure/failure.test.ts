import { systemErrorCode } from "../../../src/core/process/system-error";
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

test("the code of a failure is not one of the system", () => {
  expect(systemErrorCode(mailFailure("LOST", "gone"))).toBeUndefined();
  expect(systemErrorCode(Object.assign(new Error("gone"), { code: "ENOENT" }))).toBe("ENOENT");
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

/** Classes of errors are for users, who catch them, for facts that only their own room reads, and for the way of a run. */
const classes: Readonly<Record<string, string>> = {
  AcceptanceFailure: "users catch it: the failed step of an acceptance test",
  ApiError: "what the service said: fields, operation, quota",
  AppFailed: "the constructs of the app that failed, for editors",
  CommandError: "the exit code of a command",
  CtyError: "the path of a value that has another type",
  Deferral: "users throw it: the reason for a later run",
  EvaluationError: "whether it is about what is sensitive, and the attribute",
  Failure: "the one that all others are",
  FaultFailure: "users catch it: the problems of a test of faults",
  FunctionError: "users throw it: the argument to blame",
  HttpFailure: "the status and the body with which a local service responds",
  NotComputed: "no failure: what is not computed is not known",
  PendingCall: "no failure: the evaluation goes on after the call of a function",
  PlanBreachError: "the path that a plan must not change",
  ProviderError: "users throw it: a diagnostic of Terraform",
  RegistryError: "whether a repetition may succeed, and what the registry said",
  TerraformFailure: "users catch it: the diagnostics of Terraform",
  ValidationError: "users catch it: the findings about a construct",
  VerifyError: "users catch it: why there is no verdict",
};

test("there are no other classes of errors", () => {
  const heirs = found(
    /\bclass (\w+)(?:<[^>]*>)?\s+extends (?:\w*(?:Error|Failure)|Deferral|NotComputed)\b/g,
  );
  expect(heirs).toEqual(Object.keys(classes));
});
