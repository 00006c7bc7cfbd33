import type {
  AuthorityReport,
  ImageVerdict,
  PolicyReport,
} from "../../../../src/core/signing/policy/image-verdict";
import { verdictText } from "../../../../src/core/signing/policy/verdict-text";

const image = `registry.example/app@sha256:${"a".repeat(64)}`;

/** A verdict of one policy with one authority. */
function verdictOf(
  authority: Partial<AuthorityReport>,
  policy: Partial<PolicyReport> = {},
): Omit<ImageVerdict, "text"> {
  const code = authority.accepted === false ? "MISSING" : "ACCEPTED";
  const outcome = { name: "us", accepted: true, code, requirements: [], ...authority } as const;
  const { accepted } = outcome;
  const common = { name: "release", mode: "enforce", accepted } as const;
  const policyCode = accepted ? "ACCEPTED" : "NO_AUTHORITY";
  return {
    image,
    accepted,
    code: accepted ? "ACCEPTED" : "REFUSED",
    policies: [{ ...common, code: policyCode, authorities: [outcome], ...policy }],
    notes: [],
  };
}

const none = {
  required: "a signature",
  accepted: false,
  counted: [],
  countedTotal: 0,
  rejected: [],
  rejectedTotal: 0,
};

test("says which signature counted, of whom, in which log and when, and why others did not", () => {
  const counted = [
    {
      candidate: "the bundle 2",
      subject: "dev",
      issuer: "https://idp",
      log: "https://log",
      logIndex: 7,
      time: "2026-05-05T10:00:00.000Z",
    },
    { candidate: "the layer 3", key: "ab" },
  ];
  const rejected = [
    { candidate: "the layer 1", code: "IDENTITY", problem: "signed by boss" } as const,
  ];
  const totals = { countedTotal: 2, rejectedTotal: 1 };
  const requirement = { ...none, accepted: true, counted, rejected, ...totals };
  expect(verdictText(verdictOf({ requirements: [requirement] })))
    .toBe(`\`${image}\` is accepted (ACCEPTED).

- Policy \`release\` accepts it (ACCEPTED)
  - Authority \`us\` accepts it (ACCEPTED)
    - Needs \`a signature\`
      - counted: \`the bundle 2\`, by \`dev\`, issuer \`https://idp\`, entry 7 of the log \`https://log\`, at 2026-05-05T10:00:00.000Z
      - counted: \`the layer 3\`, by the key with SHA-256 \`ab\`
      - did not count (IDENTITY): \`the layer 1\`: \`signed by boss\`
`);
});

test.each([
  [
    "an authority that found nothing",
    verdictOf({ accepted: false, requirements: [none] }),
    "does not accept it (MISSING)\n    - Needs `a signature`: found nothing",
  ],
  [
    "an authority that could not read",
    verdictOf({ accepted: false, code: "NOT_READ", problem: "HTTP 500" }),
    "does not accept it (NOT_READ): `HTTP 500`",
  ],
  [
    "a policy over the results",
    verdictOf({}, { accepted: false, code: "POLICY", problem: "says no" }),
    "does not accept it (POLICY): `says no`",
  ],
  [
    "a policy that only warns",
    verdictOf({}, { accepted: false, mode: "warn", code: "NO_AUTHORITY" }),
    "does not accept it, but only warns (NO_AUTHORITY)",
  ],
])("says why not: %s", (_, verdict, line) => {
  expect(verdictText(verdict)).toContain(line);
});

test("says that no policy applies", () => {
  const notes = ['The policy "a" applies to b/**.'];
  const code = "NOT_COVERED";
  expect(verdictText({ image, accepted: false, code, policies: [], notes })).toBe(
    `\`${image}\` is refused, because no policy applies to it (NOT_COVERED).\n\n- Note: \`${notes[0]}\`\n`,
  );
});

test("lists the images of an index, the refused ones first, and cuts off the rest", () => {
  const images = Array.from({ length: 30 }, (_, number): ImageVerdict => {
    const isRefused = number === 20;
    const verdict = {
      ...verdictOf(isRefused ? { accepted: false, requirements: [none] } : {}),
      image: `image ${number}`,
      ...(isRefused && { platform: "linux/`arm64" }),
    };
    return { ...verdict, text: verdictText(verdict) };
  });
  const text = verdictText({ ...verdictOf({}), accepted: false, code: "REFUSED", images });
  expect(text.split("\n\n").map((part) => part.split("\n")[0])).toEqual([
    `\`${image}\` is refused (REFUSED).`,
    "- Policy `release` accepts it (ACCEPTED)",
    "`image 20` for `linux/'arm64` is refused (REFUSED).",
    "- Policy `release` does not accept it (NO_AUTHORITY)",
    ...Array.from({ length: 15 }, (_, number) => [
      `\`image ${number}\` is accepted (ACCEPTED).`,
      "- Policy `release` accepts it (ACCEPTED)",
    ]).flat(),
    "14 more images.",
  ]);
  expect(text).toContain("- Images in it: 29 of 30 accepted");
});

test("what others wrote cannot leave its code span or its line", () => {
  const candidate = "x` <img src=y> @team\n# Accepted\u001b[2J";
  const rejected = Array.from({ length: 100 }, () => {
    return { candidate, code: "IDENTITY", problem: "`" } as const;
  });
  const requirement = { ...none, rejected, rejectedTotal: 150 };
  const text = verdictText(verdictOf({ accepted: false, requirements: [requirement] }));
  expect(text).toContain("`x' <img src=y> @team # Accepted\\u001b[2J`: `'`");
  expect(text).toContain("- 142 more that did not count");
});
